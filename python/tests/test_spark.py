"""`robostat.spark` on a standalone cluster: a master and two workers, processes of this machine.

Without Java or pyspark these tests are skipped.
"""

from __future__ import annotations

import gzip
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import robostat
from conftest import CRAWL

pyspark = pytest.importorskip("pyspark")
if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
    pytest.skip("Java is not installed", allow_module_level=True)

import robostat.spark  # noqa: E402

HOST = "127.0.0.1"
# Spark runs a task a second time only on another host.
HOSTS = {"master": HOST, "one": HOST, "two": "127.0.0.2"}
SPARK_CLASS = Path(pyspark.__file__).parent / "bin" / "spark-class"


def _wait(condition: Any, what: str, seconds: float = 120) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"no {what} within {seconds} s"
        time.sleep(0.1)


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex((HOST, port)) == 0


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
        return port


class Cluster:
    """A master and its workers."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = _free_port()
        self.url = f"spark://{HOST}:{self.port}"
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        ui = str(_free_port())
        self._start(
            "master",
            ["org.apache.spark.deploy.master.Master", "--host", HOST]
            + ["--port", str(self.port), "--webui-port", ui],
        )
        _wait(lambda: _listens(self.port), "master")
        for name in ("one", "two"):
            self.add_worker(name)

    def _start(self, name: str, arguments: list[str]) -> None:
        environment = os.environ | {
            "SPARK_LOCAL_IP": HOSTS[name],
            "SPARK_NO_DAEMONIZE": "1",
            "SPARK_DAEMON_MEMORY": "256m",
        }
        with open(self.folder / f"{name}.log", "ab") as log:
            self.processes[name] = subprocess.Popen(
                [str(SPARK_CLASS), *arguments],
                env=environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def add_worker(self, name: str) -> None:
        port = _free_port()
        self._start(
            name,
            ["org.apache.spark.deploy.worker.Worker", "--host", HOSTS[name], "--cores", "1"]
            + ["--memory", "700m", "--port", str(port), "--webui-port", str(_free_port())]
            + ["--work-dir", str(self.folder / name), self.url],
        )
        log = self.folder / f"{name}.log"
        _wait(
            lambda: b"Successfully registered with master" in log.read_bytes(), "worker"
        )

    def kill(self, name: str) -> None:
        """Kills a worker and its executors."""
        process = self.processes.pop(name)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def session(self, **settings: str) -> Any:
        from pyspark.sql import SparkSession

        builder = SparkSession.builder.master(self.url).appName("robostat")
        defaults = {
            "spark.ui.enabled": "false",
            "spark.driver.host": HOST,
            "spark.driver.bindAddress": HOST,
            "spark.executor.cores": "1",
            "spark.executor.memory": "512m",
            "spark.pyspark.python": sys.executable,
        }
        for name, value in (defaults | settings).items():
            builder = builder.config(name, value)
        return builder.getOrCreate()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    cluster = Cluster(tmp_path_factory.mktemp("cluster"))
    try:
        yield cluster
    finally:
        for name in list(cluster.processes):
            cluster.kill(name)


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample crawl in eight archives, one of them damaged, and a page that is none."""
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


@pytest.fixture(scope="module")
def whole(archives: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What one ingest makes of the archives."""
    out = tmp_path_factory.mktemp("whole") / "out"
    summary = robostat.ingest(archives, out, progress=False)
    assert summary["damaged_records"] > 0
    return out


def _parts(dataset: Path) -> dict[str, bytes]:
    paths = dataset.rglob("*.parquet")
    return {str(path.relative_to(dataset)): path.read_bytes() for path in paths}


def _assert_same(found: Path, expected: Path) -> None:
    robostat.run(["verify", "--quiet", found])
    one, other = _parts(found), _parts(expected)
    assert sorted(one) == sorted(other)
    assert [name for name in one if one[name] != other[name]] == []


def _slow_program(folder: Path, script: str) -> str:
    """The program, with something before it."""
    program = folder / "slow"
    program.write_text(f'#!/bin/sh\n{script}\nexec {robostat.find_program()} "$@"\n')
    program.chmod(0o755)
    return str(program)


def test_a_cluster_that_loses_a_worker_makes_the_dataset_of_one_ingest(
    cluster: Cluster, archives: Path, whole: Path, tmp_path: Path
) -> None:
    log = tmp_path / "begun"
    program = _slow_program(tmp_path, f"echo begun >> {log}; sleep 1")
    spark = cluster.session()

    def kill() -> None:
        _wait(lambda: log.exists() and log.read_text().count("begun") >= 4, "task")
        cluster.kill("two")

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        out = tmp_path / "out"
        summary = robostat.spark.ingest(
            spark, archives, out, share_bytes=1, program=program
        )
    finally:
        killer.join()
        spark.stop()
        cluster.add_worker("two")
    assert summary["shares"] == 8, "the page joined a neighbour"
    assert summary["damaged_records"] > 0
    assert log.read_text().count("begun") > 9, "something was run again"
    _assert_same(out, whole)
    assert [path.name for path in tmp_path.iterdir() if path.is_dir()] == ["out"]


def test_a_task_that_runs_twice_changes_nothing(
    cluster: Cluster, archives: Path, whole: Path, tmp_path: Path
) -> None:
    # The first run of one task takes long, so that Spark begins another beside it.
    first, runs = tmp_path / "first", tmp_path / "runs"
    script = f"echo run >> {runs}; case \"$*\" in *3.warc.gz*) mkdir {first} 2>/dev/null && sleep 60;; esac"
    spark = cluster.session(
        **{
            "spark.speculation": "true",
            "spark.speculation.interval": "100ms",
            "spark.speculation.quantile": "0.5",
            "spark.speculation.multiplier": "1.1",
            "spark.speculation.minTaskRuntime": "1s",
        }
    )
    try:
        inputs = [path for path in sorted(archives.rglob("*.gz")) if path.name != "page.warc.gz"]
        out, expected = tmp_path / "out", tmp_path / "expected"
        robostat.ingest(inputs, expected, progress=False)
        robostat.spark.ingest(
            spark, inputs, out, share_bytes=1, program=_slow_program(tmp_path, script)
        )
        assert runs.read_text().count("run") > len(inputs)
        _assert_same(out, expected)
    finally:
        spark.stop()


def test_a_task_that_fails_names_its_input(
    cluster: Cluster, archives: Path, tmp_path: Path
) -> None:
    spark = cluster.session()
    out = tmp_path / "out"
    program = _slow_program(
        tmp_path, 'case "$*" in *2.warc.gz*) echo "robostat: no more" >&2; exit 1;; esac'
    )
    inputs = sorted(archives.glob("*.gz"))
    try:
        with pytest.raises(Exception, match=f"{archives}/2.warc.gz: robostat: no more"):
            robostat.spark.ingest(spark, inputs, out, share_bytes=1, program=program)
        with pytest.raises(FileNotFoundError, match="nowhere.warc"):
            robostat.spark.ingest(spark, tmp_path / "nowhere.warc", out)
        with pytest.raises(robostat.RobostatError, match="nothing was ingested"):
            robostat.spark.ingest(spark, archives / "page.warc.gz", out)
    finally:
        spark.stop()
    assert not out.exists()
    assert not Path(f"{out}-shares").exists()


def test_file_systems_of_hadoop_are_read_and_written(
    cluster: Cluster, archives: Path, whole: Path, tmp_path: Path
) -> None:
    # A view of this machine's disk, which only Hadoop knows how to look up.
    table = "spark.hadoop.fs.viewfs.mounttable.store.link"
    (tmp_path / "written").mkdir()
    spark = cluster.session(
        **{
            f"{table}./in": archives.parent.as_uri(),
            f"{table}./written": (tmp_path / "written").as_uri(),
        }
    )
    out = "viewfs://store/written/out"
    try:
        source = "viewfs://store/in/robotstxt"
        robostat.spark.ingest(spark, source, out, share_bytes=40_000)
        with pytest.raises(robostat.RobostatError, match="is there already"):
            robostat.spark.ingest(spark, source, out)
    finally:
        spark.stop()
    _assert_same(tmp_path / "written" / "out", whole)
    assert [path.name for path in (tmp_path / "written").iterdir()] == ["out"]


def test_the_script_for_spark_submit(
    cluster: Cluster, archives: Path, whole: Path, tmp_path: Path
) -> None:
    submit = Path(pyspark.__file__).parent / "bin" / "spark-submit"
    out = tmp_path / "out"
    process = subprocess.run(
        [str(submit), "--master", cluster.url, "--conf", f"spark.driver.host={HOST}"]
        + ["--conf", "spark.executor.memory=512m", "--conf", "spark.ui.enabled=false"]
        + [robostat.spark.__file__, "--share-bytes", "60000", str(archives), str(out)],
        env=os.environ | {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": HOST},
        capture_output=True,
        encoding="utf-8",
    )
    assert process.returncode == 3, process.stderr
    assert '"shares": ' in process.stdout
    _assert_same(out, whole)
