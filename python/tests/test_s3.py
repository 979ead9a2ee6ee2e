"""`robostat.spark` with archives and dataset in S3, by Hadoop's own `s3a:`, against a server of moto's.

Skipped unless ROBOSTAT_S3A_JARS names a directory with hadoop-aws and the Amazon SDK that it needs,
as Maven has them, or from PyPI:

    pip download --no-deps sagemaker_pyspark==1.4.5 && tar xzf sagemaker_pyspark-1.4.5.tar.gz
    pip install 'moto[server]'
    ROBOSTAT_S3A_JARS=sagemaker_pyspark-1.4.5/deps/jars pytest python/tests/test_s3.py
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import robostat

JARS = Path(os.environ.get("ROBOSTAT_S3A_JARS", ""))
WANTED = ("hadoop-aws-*.jar", "aws-java-sdk-bundle-*.jar", "bundle-*.jar")
jars = [jar for pattern in WANTED for jar in sorted(JARS.glob(pattern))] if JARS.name else []
if not jars:
    pytest.skip("ROBOSTAT_S3A_JARS names no jars of hadoop-aws", allow_module_level=True)
pytest.importorskip("moto.server")
boto3: Any = pytest.importorskip("boto3")

import robostat.spark  # noqa: E402
from spark_cluster import (  # noqa: E402
    HOST,
    PROGRAMS,
    Cluster,
    assert_same,
    free_port,
    listens,
    wait,
)

KEYS = {"aws_access_key_id": "made", "aws_secret_access_key": "up", "region_name": "us-east-1"}
# The last four have units in newer Hadoops, which an older hadoop-aws cannot read.
SETTINGS = {
    "access.key": KEYS["aws_access_key_id"],
    "secret.key": KEYS["aws_secret_access_key"],
    "path.style.access": "true",
    "aws.credentials.provider": "org.apache.hadoop.fs.s3a.SimpleAWSCredentialsProvider",
    "threads.keepalivetime": "60",
    "connection.establish.timeout": "30000",
    "connection.timeout": "200000",
    "multipart.purge.age": "86400",
}


@pytest.fixture(scope="module")
def endpoint(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server."""
    port = free_port()
    with open(tmp_path_factory.mktemp("moto") / "log", "wb") as log:
        server = subprocess.Popen(
            [sys.executable, "-m", "moto.server", "-H", HOST, "-p", str(port)],
            stdout=log,
            stderr=log,
        )
    try:
        wait(lambda: listens(port), "server")
        yield f"http://{HOST}:{port}"
    finally:
        server.kill()
        server.wait()


def test_a_dataset_in_s3_is_that_of_one_ingest(
    cluster: Cluster, archives: Path, whole: Path, endpoint: str, tmp_path: Path
) -> None:
    client = boto3.client("s3", endpoint_url=endpoint, **KEYS)
    for bucket in ("crawls", "datasets"):
        client.create_bucket(Bucket=bucket)
    for path in archives.rglob("*.gz"):
        key = f"robotstxt/{path.relative_to(archives)}"
        client.upload_file(str(path), "crawls", key)
    settings = SETTINGS | {"endpoint": endpoint}
    configured = [f"spark.hadoop.fs.s3a.{name}={value}" for name, value in settings.items()]
    configured += [f"spark.driver.host={HOST}", "spark.ui.enabled=false"]
    configured += ["spark.executor.memory=512m"]
    command = [str(PROGRAMS / "spark-submit"), "--master", cluster.url]
    command += [part for each in configured for part in ("--conf", each)]
    command += ["--jars", ",".join(map(str, jars)), str(robostat.spark.__file__)]
    command += ["--share-bytes", "150000", "s3a://crawls/robotstxt/", "s3a://datasets/2026/out"]
    environment = os.environ | {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": HOST}

    process = subprocess.run(
        command, env=environment, capture_output=True, encoding="utf-8", check=False
    )
    assert process.returncode == 3, process.stderr
    found = tmp_path / "out"
    listed = client.get_paginator("list_objects_v2").paginate(Bucket="datasets")
    keys = [each["Key"] for page in listed for each in page.get("Contents", [])]
    for key in keys:
        assert key.startswith("2026/out/"), "the datasets of the tasks are removed"
        place = found / key.removeprefix("2026/out/")
        if not key.endswith("/"):
            place.parent.mkdir(parents=True, exist_ok=True)
            client.download_file("datasets", key, str(place))
    assert_same(found, whole)
