"""`robostat.spark` with archives and dataset in HDFS: a name node and a data node of this machine.

Skipped unless ROBOSTAT_HDFS_JARS names a directory with a Hadoop that has HDFS's servers, as
hadoop-hdfs has until 2.10. Spark 2.4 on PyPI contains such a Hadoop with all its dependencies, and
it runs on Java 17; Spark 4's Hadoop can talk to it:

    echo 'pypandoc<1.8' > constraints.txt
    PIP_CONSTRAINT=constraints.txt pip download --no-deps pyspark==2.4.8 && tar xzf pyspark-2.4.8.tar.gz
    ROBOSTAT_HDFS_JARS=pyspark-2.4.8/deps/jars pytest python/tests/test_hdfs.py
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

import robostat

JARS = Path(os.environ.get("ROBOSTAT_HDFS_JARS", ""))
if not JARS.name or not list(JARS.glob("hadoop-hdfs-2.*.jar")):
    pytest.skip("ROBOSTAT_HDFS_JARS names no jars of HDFS", allow_module_level=True)

import robostat.spark  # noqa: E402
from spark_cluster import HOST, Cluster, assert_same, free_port, wait  # noqa: E402

SERVERS = "org.apache.hadoop.hdfs.server"


def _write_configuration(folder: Path, port: int) -> None:
    anywhere = f"{HOST}:0"
    settings = {
        "fs.defaultFS": f"hdfs://{HOST}:{port}",
        "hadoop.tmp.dir": str(folder / "tmp"),
        "dfs.namenode.name.dir": (folder / "names").as_uri(),
        "dfs.datanode.data.dir": (folder / "data").as_uri(),
        "dfs.namenode.http-address": anywhere,
        "dfs.datanode.address": anywhere,
        "dfs.datanode.ipc.address": anywhere,
        "dfs.datanode.http.address": anywhere,
        "dfs.webhdfs.enabled": "false",
        "dfs.permissions.enabled": "false",
        "dfs.replication": "1",
    }
    properties = "".join(
        f"<property><name>{name}</name><value>{value}</value></property>\n"
        for name, value in settings.items()
    )
    for name in ("core-site.xml", "hdfs-site.xml"):
        (folder / name).write_text(f"<configuration>\n{properties}</configuration>\n")
    (folder / "log4j.properties").write_text(
        "log4j.rootLogger=INFO,console\n"
        "log4j.appender.console=org.apache.log4j.ConsoleAppender\n"
        "log4j.appender.console.layout=org.apache.log4j.SimpleLayout\n"
    )
    # Pages of the servers' status, which Spark's copy of Hadoop lacks.
    for server in ("hdfs", "datanode"):
        (folder / "webapps" / server / "WEB-INF").mkdir(parents=True)
        (folder / "webapps" / server / "WEB-INF" / "web.xml").write_text("<web-app/>")


@pytest.fixture(scope="module")
def hdfs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a file system."""
    folder = tmp_path_factory.mktemp("hdfs")
    port = free_port()
    _write_configuration(folder, port)
    java = shutil.which("java") or f"{os.environ['JAVA_HOME']}/bin/java"
    command = [java, "-Xmx256m", "-cp", f"{folder}:{JARS.resolve()}/*"]
    name_node, data_node = f"{SERVERS}.namenode.NameNode", f"{SERVERS}.datanode.DataNode"
    subprocess.run(
        [*command, name_node, "-format", "-nonInteractive"], check=True, capture_output=True
    )
    processes = []
    try:
        for server, ready in (
            (name_node, b"NameNode RPC up at"),
            (data_node, b"successfully registered with NN"),
        ):
            log = folder / f"{server}.log"
            with open(log, "wb") as output:
                processes.append(subprocess.Popen([*command, server], stdout=output, stderr=output))
            wait(lambda log=log, ready=ready: ready in log.read_bytes(), server)
        yield f"hdfs://{HOST}:{port}"
    finally:
        for process in processes:
            process.kill()
            process.wait()


def test_a_dataset_in_hdfs_is_that_of_one_ingest(
    cluster: Cluster, archives: Path, whole: Path, hdfs: str, tmp_path: Path
) -> None:
    spark = cluster.session()
    try:
        # Files go there and back by Hadoop's own Java, without the code under test.
        paths = spark.sparkContext._jvm.org.apache.hadoop.fs
        system = paths.Path(hdfs).getFileSystem(spark.sparkContext._jsc.hadoopConfiguration())
        crawl, out = f"{hdfs}/crawl", f"{hdfs}/datasets/2026/out"
        system.copyFromLocalFile(paths.Path(archives.as_uri()), paths.Path(f"{crawl}/robotstxt"))
        robostat.spark.ingest(spark, f"{crawl}/robotstxt", out, share_bytes=40_000)
        with pytest.raises(robostat.RobostatError, match="is there already"):
            robostat.spark.ingest(spark, f"{crawl}/robotstxt", out)
        beside = system.listStatus(paths.Path(f"{hdfs}/datasets/2026"))
        assert [entry.getPath().getName() for entry in beside] == ["out"]
        system.copyToLocalFile(paths.Path(out), paths.Path((tmp_path / "out").as_uri()))
    finally:
        spark.stop()
    assert_same(tmp_path / "out", whole)
