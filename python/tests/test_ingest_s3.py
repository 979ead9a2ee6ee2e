"""`robostat ingest s3://…` against a server of moto's; skipped without it (pip install 'moto[server]')."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

moto: Any = pytest.importorskip("moto.server")
boto3: Any = pytest.importorskip("boto3")

import robostat  # noqa: E402

SAMPLE = Path(__file__).parents[2] / "samples" / "crawl.warc.gz"
KEYS = {"aws_access_key_id": "made", "aws_secret_access_key": "up", "region_name": "eu-west-1"}


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    """The address of a server."""
    server = moto.ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()


def test_objects_are_listed_and_ingested(endpoint: str, tmp_path: Path) -> None:
    store = boto3.client("s3", endpoint_url=endpoint, **KEYS)
    store.create_bucket(
        Bucket="crawls", CreateBucketConfiguration={"LocationConstraint": "eu-west-1"}
    )
    key = "2026/a ü+.warc.gz"
    store.put_object(Bucket="crawls", Key=key, Body=SAMPLE.read_bytes())
    for number in range(1001):  # more than a page of the list
        store.put_object(Bucket="crawls", Key=f"2026/b/{number}.txt", Body=b"x")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
    environment |= {name.upper(): value for name, value in KEYS.items() if "key" in name}
    environment |= {"AWS_REGION": "eu-west-1", "AWS_ENDPOINT_URL": endpoint, "NO_PROXY": "*"}
    out = tmp_path / "out"
    command = [robostat.find_program(), "ingest", "--quiet", "s3://crawls/2026/", str(out)]
    subprocess.run(command, check=True, env=environment, stdout=sys.stderr)
    rows = robostat.connect(out).sql("SELECT source_url, captures FROM inputs").fetchall()
    assert rows == [(f"s3://crawls/{key}", 346)]
