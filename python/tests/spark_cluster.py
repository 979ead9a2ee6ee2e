"""A standalone Spark cluster: a master and two workers, processes of this machine.

Without Java or pyspark the tests that import this are skipped.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import robostat

pyspark = pytest.importorskip("pyspark")
if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
    pytest.skip("Java is not installed", allow_module_level=True)

HOST = "127.0.0.1"
# Spark runs a task a second time only on another host.
HOSTS = {"master": HOST, "one": HOST, "two": "127.0.0.2"}
PROGRAMS = Path(pyspark.__file__).parent / "bin"


def wait(condition: Any, what: str, seconds: float = 120) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"no {what} within {seconds} s"
        time.sleep(0.1)


def listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex((HOST, port)) == 0


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
        return port


class Cluster:
    """A master and its workers."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self.url = f"spark://{HOST}:{self.port}"
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        ui = str(free_port())
        self._start(
            "master",
            ["org.apache.spark.deploy.master.Master", "--host", HOST]
            + ["--port", str(self.port), "--webui-port", ui],
        )
        wait(lambda: listens(self.port), "master")
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
                [str(PROGRAMS / "spark-class"), *arguments],
                env=environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def add_worker(self, name: str) -> None:
        port = free_port()
        self._start(
            name,
            ["org.apache.spark.deploy.worker.Worker", "--host", HOSTS[name], "--cores", "1"]
            + ["--memory", "700m", "--port", str(port), "--webui-port", str(free_port())]
            + ["--work-dir", str(self.folder / name), self.url],
        )
        log = self.folder / f"{name}.log"
        wait(
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
            "spark.sql.shuffle.partitions": "2",
            "spark.pyspark.python": sys.executable,
        }
        for name, value in (defaults | settings).items():
            builder = builder.config(name, value)
        return builder.getOrCreate()


def _parts(dataset: Path) -> dict[str, bytes]:
    paths = dataset.rglob("*.parquet")
    return {str(path.relative_to(dataset)): path.read_bytes() for path in paths}


def assert_same(found: Path, expected: Path) -> None:
    robostat.run(["verify", "--quiet", found])
    one, other = _parts(found), _parts(expected)
    assert sorted(one) == sorted(other)
    assert [name for name in one if one[name] != other[name]] == []


def slow_program(folder: Path, script: str) -> str:
    """The program, with a script before it."""
    program = folder / "slow"
    program.write_text(f'#!/bin/sh\n{script}\nexec {robostat.find_program()} "$@"\n')
    program.chmod(0o755)
    return str(program)
