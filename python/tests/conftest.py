"""What the tests share: the sample crawl, and a dataset made of it."""

from pathlib import Path

import pytest

import robostat

PROJECT = Path(__file__).resolve().parents[2]
SAMPLES = PROJECT / "samples"
CRAWL = SAMPLES / "crawl.warc.gz"


@pytest.fixture(scope="session")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset of the sample crawl, for tests that only read it."""
    out = tmp_path_factory.mktemp("dataset") / "out"
    robostat.ingest(CRAWL, out, subset="robotstxt", progress=False)
    return out
