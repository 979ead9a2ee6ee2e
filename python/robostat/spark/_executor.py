"""An executor as tasks find it: its disk, the program, DuckDB, and files from elsewhere."""

from __future__ import annotations

import atexit
import contextlib
import importlib.util
import os
import shutil
import subprocess
import tempfile
import uuid
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from robostat._program import execute, find_program
from robostat.spark._hadoop import Shell, join, local_path

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_SETTINGS = "spark.hadoop."
_LAST = ("manifest", "views.sql")
"""Entries that every dataset has."""
_sent: set[tuple[str, str]] = set()
"""Files that executors have, by Spark application; Spark never replaces one."""


@dataclass(frozen=True)
class Executor:
    """What tasks need to know about an executor."""

    program: str | None
    """The program on every executor; None if it is sent along."""
    shell: Shell = field(repr=False, compare=False)

    @classmethod
    def of(cls, spark: SparkSession, program: str | None, *, has_queries: bool = False) -> Executor:
        """The executors of a session, which are sent this package and, unless they have their own,
        the program; for queries, DuckDB too."""
        _send_package(spark)
        if program is None:
            _send(spark, "robostat", find_program())
            if has_queries:
                _send(spark, "duckdb", _find_duckdb())
        settings = spark.sparkContext.getConf().getAll()
        hadoop = {
            name.removeprefix(_SETTINGS): value
            for name, value in settings
            if name.startswith(_SETTINGS)
        }
        return cls(program, Shell(hadoop))

    def run(
        self, scratch: Path, arguments: Sequence[str], stdin: bytes | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Runs the program, which has its temporary files in `scratch`."""
        environment = [f"TMPDIR={scratch}"]
        program = self.program
        if program is None:
            from pyspark import SparkFiles

            program = SparkFiles.get("robostat")
            environment.append(f"ROBOSTAT_DUCKDB={SparkFiles.get('duckdb')}")
        process = execute(["env", *environment, program, *arguments], stdin=stdin)
        process.args = [program, *arguments]
        return process

    def fetch(self, directory: str, scratch: Path) -> Path:
        """A directory on this machine: itself, or a copy in `scratch`."""
        local = local_path(directory)
        if local is not None:
            return Path(local)
        place = scratch / uuid.uuid4().hex
        place.mkdir()
        self.shell.get([directory.rstrip("/")], place, scratch)
        return next(place.iterdir())

    def leave(self, dataset: Path, directory: str, scratch: Path) -> str:
        """Copies a dataset into a directory that all machines reach, under its own name."""
        local = local_path(directory)
        place = join(directory, dataset.name)
        if local is None:
            self.shell.put([dataset], directory, scratch)
        else:
            os.mkdir(place)  # not its parent: the run may have ended without this task
            shutil.copytree(dataset, place, dirs_exist_ok=True)
        return place

    def publish(self, dataset: Path, directory: str, scratch: Path) -> None:
        """Copies a dataset to its destination. A simultaneous attempt of the same task changes
        nothing."""
        local = local_path(directory)
        if local is None:
            entries = sorted(entry for entry in dataset.iterdir() if entry.name[0] != ".")
            self.shell.make(directory, scratch)
            first = [entry for entry in entries if entry.name not in _LAST]
            self.shell.put(first, directory, scratch)
            self.shell.put([dataset / name for name in _LAST], directory, scratch)
            return
        aside = Path(f"{local}.{uuid.uuid4().hex}")
        shutil.copytree(dataset, aside)
        try:
            aside.rename(local)
        except OSError:
            shutil.rmtree(aside)
            if not os.path.isdir(os.path.join(local, "manifest")):
                raise


@contextlib.contextmanager
def scratch_directory() -> Iterator[Path]:
    """A directory on the executor's disk, for one task."""
    folders = os.environ.get("LOCAL_DIRS") or os.environ.get("SPARK_LOCAL_DIRS") or ""
    folder = folders.split(",")[0] or None
    with tempfile.TemporaryDirectory(prefix="robostat-", dir=folder) as scratch:
        yield Path(scratch)


def _send_package(spark: SparkSession) -> None:
    context = spark.sparkContext
    if (context.applicationId, "package") in _sent:
        return
    package = _directory() / "robostat.zip"
    top = Path(__file__).resolve().parents[1]
    with zipfile.ZipFile(package, "w") as archive:
        for module in top.rglob("*.py"):
            archive.write(module, module.relative_to(top.parent))
    context.addPyFile(str(package))
    _sent.add((context.applicationId, "package"))


def _send(spark: SparkSession, name: str, program: str) -> None:
    """Gives executors a program, which Spark makes executable there."""
    context = spark.sparkContext
    if (context.applicationId, name) in _sent:
        return
    sent = _directory() / name
    shutil.copyfile(program, sent)
    context.addFile(str(sent))
    _sent.add((context.applicationId, name))


def _directory() -> Path:
    """A directory that lasts as long as the driver, from which executors may copy at any time."""
    directory = tempfile.mkdtemp(prefix="robostat-")
    atexit.register(shutil.rmtree, directory, ignore_errors=True)
    return Path(directory)


def _find_duckdb() -> str:
    """The program `duckdb`: named by ROBOSTAT_DUCKDB, in the package, or on the PATH."""
    # The package's command is a script for this machine's Python, next to the program itself.
    package = importlib.util.find_spec("duckdb_cli")
    installed = Path(package.origin).with_name("duckdb") if package and package.origin else None
    found = os.environ.get("ROBOSTAT_DUCKDB") or (
        str(installed) if installed and installed.is_file() else shutil.which("duckdb")
    )
    if not found:
        raise FileNotFoundError("the program duckdb was not found; pip install duckdb-cli")
    return found
