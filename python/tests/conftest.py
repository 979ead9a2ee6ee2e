"""Fixtures of the tests: the sample crawl, and a dataset made of it."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import robostat

if TYPE_CHECKING:
    from spark_cluster import Cluster

PROJECT = Path(__file__).resolve().parents[2]
SAMPLES = PROJECT / "samples"
CRAWL = SAMPLES / "crawl.warc.gz"


@pytest.fixture(scope="session")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset of the sample crawl, for tests that only read it."""
    out = tmp_path_factory.mktemp("dataset") / "out"
    robostat.ingest(CRAWL, out, subset="robotstxt", progress=False)
    return out


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    from spark_cluster import Cluster

    cluster = Cluster(tmp_path_factory.mktemp("cluster"))
    try:
        yield cluster
    finally:
        for name in list(cluster.processes):
            cluster.kill(name)


@pytest.fixture(scope="session")
def archives(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample crawl in eight archives, one of them damaged, and a web page."""
    folder = tmp_path_factory.mktemp("archives") / "robotstxt"
    (folder / "more").mkdir(parents=True)
    text = gzip.decompress(CRAWL.read_bytes())
    records = [b"WARC/1" + record for record in text.split(b"\r\n\r\nWARC/1")]
    records[0] = records[0].removeprefix(b"WARC/1")
    count = len(records) // 8 + 1
    for number in range(8):
        members = [
            gzip.compress(record + b"\r\n\r\n", mtime=0)
            for record in records[number * count : (number + 1) * count]
        ]
        data = bytearray(b"".join(members))
        if number == 5:
            middle = len(data) // 2
            data[middle : middle + 40] = bytes(40)
        below = "more" if number % 3 == 0 else "."
        (folder / below / f"{number}.warc.gz").write_bytes(data)
    (folder / "page.warc.gz").write_bytes(b"<html>not found</html>")
    return folder


@pytest.fixture(scope="session")
def whole(archives: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What one ingest makes of the archives."""
    out = tmp_path_factory.mktemp("whole") / "out"
    summary = robostat.ingest(archives, out, progress=False)
    assert summary["damaged_records"] > 0
    return out


@pytest.fixture(scope="session")
def crawls(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Three crawls of made-up sites, later ones with fewer hosts in common: archives by label."""
    bots = ["GPTBot", "CCBot", "ClaudeBot", "Googlebot", "Bytespider", "Amazonbot", "PerplexityBot"]
    folder = tmp_path_factory.mktemp("crawls")
    found = {}
    for year, label in [(2024, "2024-10"), (2025, "2025-10"), (2026, "2026-10")]:
        found[label] = folder / label / "fetches.jsonl"
        found[label].parent.mkdir()
        lines = []
        for host in range((year - 2024) * 3, 40):
            named = bots[(host + year) % 7 : (host + year) % 7 + 3]
            groups = [f"User-agent: {bot}\nDisallow: /{'x' * (host % 3)}\n" for bot in named]
            body = "\n".join([*groups, f"Sitemap: https://d{host % 9}.example/s.xml"])
            fetch = {
                "url": f"https://h{host}.d{host % 9}.example/robots.txt",
                "fetched_at": f"{year}-10-02T10:00:{host:02}Z",
                "status": 404 if host % 8 == 7 else 200,
                "body": body,
            }
            lines.append(json.dumps(fetch) + "\n")
        found[label].write_text("".join(lines))
    return found


@pytest.fixture(scope="session")
def crawl_datasets(crawls: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """A dataset of each crawl, the last crawl first."""
    folder = tmp_path_factory.mktemp("datasets")
    for label, archive in crawls.items():
        robostat.ingest(archive, folder / label, crawl=label, progress=False)
    return [folder / label for label in reversed(crawls)]


@pytest.fixture(scope="session")
def merged(crawl_datasets: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The merge of the datasets of all crawls."""
    out = tmp_path_factory.mktemp("merged") / "out"
    robostat.run(["merge", "--quiet", f"--output={out}", *reversed(crawl_datasets)])
    return out
