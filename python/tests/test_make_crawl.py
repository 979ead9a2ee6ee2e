"""The generator of made-up crawls."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import robostat

SCRIPT = Path(__file__).parents[2] / "tools" / "make_crawl.py"


def test_the_same_arguments_give_the_same_archives(tmp_path: Path) -> None:
    crawls = [tmp_path / "a", tmp_path / "b"]
    for crawl in crawls:
        arguments = ["--captures", "1000", "--months", "2", "--split-size", "100000", str(crawl)]
        subprocess.run([sys.executable, SCRIPT, *arguments], check=True, capture_output=True)
    first, second = (
        {path.relative_to(crawl): path.read_bytes() for path in crawl.rglob("*.gz")}
        for crawl in crawls
    )
    assert len(first) > 4
    assert first == second


def test_robostat_reads_every_capture(tmp_path: Path) -> None:
    archive = tmp_path / "crawl.warc.gz"
    arguments = ["--captures", "1000", str(archive)]
    subprocess.run([sys.executable, SCRIPT, *arguments], check=True, capture_output=True)
    summary = robostat.ingest(archive, tmp_path / "out", subset="robotstxt", progress=False)
    assert summary["captures"] == 1000
    assert summary["damaged_records"] == 0
