"""An ingest on a Spark cluster: `ingest`, or this file with `spark-submit`.

The inputs are divided by bytes into shares that follow each other. Each share is a task: it runs the
program on the executor's own disk and puts the dataset that it made where the others can read it.
The driver then runs ``robostat merge`` over them, which drops what is there twice and writes parts,
manifest and views: the result is the dataset that one ingest of the inputs would have written, in the
same bytes.

A task that is run again, or twice at a time, writes elsewhere each time, and Spark takes one result
of each task: it changes nothing. The program and this package are sent along; executors need Python
and, for `hdfs:`, `s3a:` and the like, nothing that Spark has not.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import shutil
import stat
import sys
import tempfile
import uuid
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

if __name__ == "__main__":
    # spark-submit puts this file's directory first, but its modules belong to the package.
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path = [path for path in sys.path if os.path.abspath(path) != here]
    sys.path.append(os.path.dirname(here))

from robostat._hadoop import Shell, join, local_path
from robostat._errors import reason
from robostat._program import (
    RobostatError,
    StrPath,
    checked,
    execute,
    find_program,
    run,
    several,
    with_paths,
)

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SHARE_BYTES = 1 << 30
COMPLETE, FAILED, DAMAGED = 0, 1, 3


@dataclass(frozen=True)
class _Input:
    """An archive: what it was found under, and where below that it lies."""

    argument: str
    below: str
    """Path below the argument; empty where the argument is the file."""
    bytes: int

    @property
    def uri(self) -> str:
        return join(self.argument, self.below) if self.below else self.argument


@dataclass(frozen=True)
class _Share:
    """Inputs that one task ingests, in order."""

    inputs: tuple[_Input, ...]
    arguments: tuple[str, ...]
    """Options of ``robostat ingest``."""
    work: str
    program: str | None
    """The program on every executor; none where it is sent along."""
    shell: Shell = field(repr=False, compare=False)


def ingest(
    spark: SparkSession,
    inputs: StrPath | Iterable[StrPath],
    out: StrPath,
    *,
    crawl: str | None = None,
    subset: str | None = None,
    jobs: int | None = None,
    keep_bodies: bool = False,
    verify_digests: bool = False,
    share_bytes: int = SHARE_BYTES,
    commit_every: int | None = None,
    work: str | None = None,
    program: str | None = None,
    options: Iterable[str] = (),
) -> dict[str, Any]:
    """Reads WARC files on the executors of `spark`, and writes the dataset `out`.

    Paths and URIs of Hadoop's file systems will do (``hdfs:``, ``s3a:``). A path without a scheme
    must mean the same directory on every machine.

    Args:
        spark: the session. Spark Connect will not do.
        inputs: files or directories (read recursively), or several of them.
        out: the directory of the dataset. On a disk it may hold a dataset, which is extended;
            in another file system it must not be there.
        crawl: label of the crawl [the WARC's isPartOf, else ``default``].
        subset: ``robotstxt`` or ``mixed``, as in ``robostat.ingest``.
        jobs: threads of a task [``spark.task.cpus``].
        keep_bodies: store each file's bytes in ``files.body``.
        verify_digests: compare captures with their digests.
        share_bytes: bytes of inputs that a task reads, at the end of an input.
        commit_every: bytes of inputs after which `out` gets a commit.
        work: directory for the datasets of the tasks, which every machine reads and writes; it is
            emptied [beside `out`].
        program: path of the program on every executor [the one of this package is sent along].
        options: further options of ``robostat ingest``: ``["--max-sitemaps", "100"]``.

    Returns:
        The summary of the merge, with ``shares`` and ``damaged_records``.

    Raises:
        RobostatError: nothing could be ingested, or the merge failed.
        Exception: Spark's own where a task failed as often as Spark lets it; the text names the
            input.
    """
    if isinstance(inputs, (str, os.PathLike)):
        inputs = [inputs]
    arguments = ["ingest", "--json", "--quiet", *several("options", options)]
    context = spark.sparkContext
    jobs = jobs or int(context.getConf().get("spark.task.cpus") or 1)
    for name, value in (("--crawl", crawl), ("--subset", subset), ("--jobs", jobs)):
        if value is not None:
            arguments.append(f"{name}={value}")
    arguments += ["--keep-bodies"] * keep_bodies + ["--verify-digests"] * verify_digests

    out = os.fspath(out)
    local_out = local_path(out)
    found = [each for name in several("inputs", inputs) for each in _find(spark, os.fspath(name))]
    if not found:
        raise RobostatError("no inputs were found", FAILED)
    if local_out is None and _java_path(spark, out)[1]:
        raise RobostatError(
            f"{out} is there already; choose a new directory, or extend a dataset on a disk", FAILED
        )
    prefix = "spark.hadoop."
    settings = {
        name.removeprefix(prefix): value
        for name, value in context.getConf().getAll()
        if name.startswith(prefix)
    }
    work = join(work or f"{out.rstrip('/')}-shares", uuid.uuid4().hex)
    shell = Shell(settings)
    share = _Share((), tuple(arguments), work, program, shell)
    shares = [replace(share, inputs=group) for group in _divide(found, share_bytes)]
    _send_along(spark, program)
    _make(spark, work)
    with tempfile.TemporaryDirectory(prefix="robostat-") as scratch:
        try:
            done = _run_all(spark, shares)
            datasets = [_fetch(spark, result, Path(scratch)) for result in done]
            merged = Path(local_out) if local_out else Path(scratch) / "out"
            summary = _merge(datasets, merged, commit_every)
            if local_out is None:
                _publish(spark, merged, out)
        finally:
            _remove(spark, work)
    summary["shares"] = len(done)
    summary["damaged_records"] = summary["rows"]["damage"]
    return summary


def _find(spark: SparkSession, argument: str) -> list[_Input]:
    """The files of an argument, in the order in which the program reads them."""
    path = local_path(argument)
    if path is not None:
        path = os.path.abspath(path)
        if not os.path.isdir(path):
            return [_Input(path, "", os.stat(path).st_size)]
        below = [
            os.path.relpath(os.path.join(folder, name), path)
            for folder, _, names in os.walk(path)
            for name in names
        ]
        sizes = {name: os.stat(os.path.join(path, name)).st_size for name in below}
    else:
        java, status = _java_path(spark, argument)
        if status is None:
            raise FileNotFoundError(argument)
        if not status.isDirectory():
            return [_Input(argument, "", status.getLen())]
        top = status.getPath().toUri().getPath().rstrip("/") + "/"
        files = java.listFiles(status.getPath(), True)
        sizes = {}
        while files.hasNext():
            file = files.next()
            name = file.getPath().toUri().getPath()
            sizes[name.removeprefix(top)] = file.getLen()
    ordered = sorted(sizes, key=lambda name: [part.encode() for part in name.split("/")])
    return [_Input(path or argument, name, sizes[name]) for name in ordered]


def _java_path(spark: SparkSession, uri: str) -> tuple[Any, Any]:
    """The file system of a URI, and its status of the file; `None` if the file is missing."""
    context: Any = spark.sparkContext
    path = context._jvm.org.apache.hadoop.fs.Path(uri)
    system = path.getFileSystem(context._jsc.hadoopConfiguration())
    return system, system.getFileStatus(path) if system.exists(path) else None


def _path(spark: SparkSession, path: str | Path) -> Any:
    """A path of Hadoop's."""
    context: Any = spark.sparkContext
    place = Path(path).resolve().as_uri() if isinstance(path, Path) else path
    return context._jvm.org.apache.hadoop.fs.Path(place)


def _make(spark: SparkSession, directory: str) -> None:
    """Makes a directory, and those above it."""
    local = local_path(directory)
    if local is not None:
        os.makedirs(local)
    else:
        system, _ = _java_path(spark, directory)
        system.mkdirs(_path(spark, directory))


def _divide(inputs: list[_Input], share_bytes: int) -> list[tuple[_Input, ...]]:
    """Groups of inputs that follow each other, of at least this many bytes, except for the last."""
    groups: list[list[_Input]] = []
    full = True
    for each in inputs:
        if full:
            groups.append([])
        groups[-1].append(each)
        full = sum(it.bytes for it in groups[-1]) >= share_bytes
    return [tuple(group) for group in groups]


_sent: set[tuple[str, str]] = set()
"""Files that executors have, with the Spark application; Spark replaces none."""


def _send_along(spark: SparkSession, program: str | None) -> None:
    """Gives executors this package and, unless they have their own, the program."""
    context = spark.sparkContext
    application = context.applicationId
    folder = Path(tempfile.mkdtemp(prefix="robostat-"))
    if (application, "package") not in _sent:
        package = folder / "robostat.zip"
        with zipfile.ZipFile(package, "w") as archive:
            for module in Path(__file__).resolve().parent.glob("*.py"):
                archive.write(module, f"robostat/{module.name}")
        context.addPyFile(str(package))
        _sent.add((application, "package"))
    if program is None and (application, "program") not in _sent:
        sent = folder / "robostat"
        shutil.copyfile(find_program(), sent)
        context.addFile(str(sent))
        _sent.add((application, "program"))


@dataclass(frozen=True)
class _Done:
    """What came of a share: the dataset, or none where none of its inputs is a WARC file."""

    share: _Share
    directory: str | None


def _run_all(spark: SparkSession, shares: list[_Share]) -> list[_Done]:
    """Runs all shares. One without a WARC file, which makes no dataset, joins its neighbour."""
    done: dict[_Share, _Done] = {}
    while True:
        left = [share for share in shares if share not in done]
        for result in spark.sparkContext.parallelize(left, len(left)).map(_run).collect():
            done[result.share] = result
        empty = [share for share in shares if done[share].directory is None]
        if not empty:
            return [done[share] for share in shares]
        if len(shares) == 1:
            raise RobostatError("nothing was ingested: no input can be read", FAILED)
        place = shares.index(empty[0])
        first = max(place - 1, 0)
        joined = shares[first].inputs + shares[first + 1].inputs
        shares = [
            *shares[:first],
            replace(shares[first], inputs=joined),
            *shares[first + 2 :],
        ]


def _run(share: _Share) -> _Done:
    """Ingests a share; the task of an executor."""
    folders = os.environ.get("LOCAL_DIRS") or os.environ.get("SPARK_LOCAL_DIRS") or ""
    folder = folders.split(",")[0] or None
    with tempfile.TemporaryDirectory(prefix="robostat-", dir=folder) as scratch:
        top = Path(scratch)
        arguments, staged = _stage(share, top)
        name = uuid.uuid4().hex
        out = top / name
        arguments, listed = with_paths(share.arguments, arguments, [out])
        process = execute([_program(share, top), *arguments], stdin=listed)
        said = reason(process.stderr)
        for prefix in staged:
            said = said.replace(prefix, "")
        if process.returncode == FAILED and "nothing was ingested" in said:
            return _Done(share, None)
        if process.returncode not in (COMPLETE, DAMAGED):
            raise RobostatError(f"{_named(share)}: {said}", process.returncode)
        summary = json.loads(process.stdout)
        if summary["inputs_unreadable"]:
            raise RobostatError(f"cannot be read: {said}", FAILED)
        directory = join(share.work, name)
        local = local_path(directory)
        if local is None:
            share.shell.put(out, share.work, top)
        else:
            os.mkdir(local)  # not its parent: the run may have ended without this task
            shutil.copytree(out, local, dirs_exist_ok=True)
        return _Done(share, directory)


def _named(share: _Share) -> str:
    """The inputs of a share, for a message."""
    names = [each.uri for each in share.inputs]
    return ", ".join(names[:3]) + (f" and {len(names) - 3} others" if names[3:] else "")


def _stage(share: _Share, top: Path) -> tuple[list[str], list[str]]:
    """Puts the inputs where the program finds them under the names that one ingest gives them.

    Returns the arguments for the program, and what stands before the path of each input.
    """
    arguments: list[str] = []
    prefixes: list[str] = []
    roots: dict[str, Path] = {}
    wanted: dict[Path, list[str]] = {}
    for each in share.inputs:
        is_local = local_path(each.argument) is not None
        path = each.argument if is_local else each.argument.split(":", 1)[1]
        path = "/" + path.lstrip("/")
        if not each.below or each.argument not in roots:
            prefix = top / "in" / str(len(prefixes))
            roots[each.argument] = prefix
            prefixes.append(str(prefix))
            arguments.append(f"{prefix}{path}")
        staged = Path(join(f"{roots[each.argument]}{path}", each.below).rstrip("/"))
        staged.parent.mkdir(parents=True, exist_ok=True)
        if is_local:
            if not os.path.exists(each.uri):
                raise FileNotFoundError(f"{each.uri}: not on this machine")
            staged.symlink_to(each.uri)
        else:
            wanted.setdefault(staged.parent, []).append(each.uri)
    for directory, uris in wanted.items():
        try:
            share.shell.get(uris, directory, top)
        except OSError as error:
            raise RobostatError(f"{_named(share)}: {error}", FAILED) from None
    return arguments, prefixes


def _program(share: _Share, top: Path) -> str:
    """The program on this executor."""
    if share.program is not None:
        return share.program
    from pyspark import SparkFiles

    sent = SparkFiles.get("robostat")
    program = top / "robostat"
    shutil.copyfile(sent, program)  # what others run cannot be changed
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return str(program)


def _fetch(spark: SparkSession, done: _Done, scratch: Path) -> Path:
    """The dataset of a share, on the driver's disk."""
    directory = done.directory or ""
    local = local_path(directory)
    if local is not None:
        return Path(local)
    here = scratch / directory.rsplit("/", 1)[1]
    system, _ = _java_path(spark, directory)
    # Keeps the source, and writes no checksum files next to the copies.
    system.copyToLocalFile(False, _path(spark, directory), _path(spark, here), True)
    return here


def _merge(datasets: list[Path], out: Path, commit_every: int | None) -> dict[str, Any]:
    """Makes one dataset of the datasets of all shares."""
    options = ["merge", "--json", "--quiet", f"--output={out}"]
    if commit_every is not None:
        options.append(f"--commit-every={commit_every}")
    arguments, listed = with_paths(options, datasets)
    process = execute([find_program(), *arguments], stdin=listed)
    summary: dict[str, Any] = json.loads(checked(process, (COMPLETE, DAMAGED)).stdout)
    return summary


def _publish(spark: SparkSession, merged: Path, out: str) -> None:
    """Copies a dataset to where it belongs, the manifest last: without it there is no dataset."""
    # The views name that place, and not this disk.
    run(["export", "--for=duckdb", f"--base-url={out}", "--", merged])
    _make(spark, out)
    system, _ = _java_path(spark, out)
    entries = [entry for entry in merged.iterdir() if not entry.name.startswith(".")]
    for entry in sorted(entries, key=lambda it: (it.name in ("manifest", "views.sql"), it.name)):
        place = _path(spark, join(out, entry.name))
        system.copyFromLocalFile(False, True, _path(spark, entry), place)


def _remove(spark: SparkSession, work: str) -> None:
    """Removes the datasets of the tasks, and the directory that held them if nothing else does."""
    local = local_path(work)
    if local is not None:
        shutil.rmtree(local, ignore_errors=True)
        with contextlib.suppress(OSError):  # another run's are in it
            os.rmdir(os.path.dirname(local))
        return
    system, _ = _java_path(spark, work)
    system.delete(_path(spark, work), True)
    above = _path(spark, work).getParent()
    if not system.listStatus(above):
        system.delete(above, False)


def main() -> None:
    """`spark-submit spark.py INPUT... OUT`."""
    parser = argparse.ArgumentParser(
        prog="spark-submit spark.py", description="Read WARC files on a Spark cluster."
    )
    parser.add_argument("inputs", nargs="+", metavar="INPUT", help="files, directories or URIs")
    parser.add_argument("out", metavar="OUT", help="the output directory")
    parser.add_argument("--crawl", metavar="LABEL", help="label of the crawl")
    parser.add_argument("--subset", choices=["robotstxt", "mixed"])
    parser.add_argument("--keep-bodies", action="store_true")
    parser.add_argument("--verify-digests", action="store_true")
    parser.add_argument(
        "--share-bytes", type=int, default=SHARE_BYTES, help="bytes that a task reads [1 GiB]"
    )
    parser.add_argument("--commit-every", type=int, metavar="BYTES")
    parser.add_argument("--work", metavar="DIR", help="for the tasks' datasets [beside OUT]")
    parser.add_argument("--program", help="path of robostat on every executor")
    arguments = vars(parser.parse_args())

    from pyspark.sql import SparkSession

    spark = SparkSession.builder.appName("robostat").getOrCreate()
    inputs, out = arguments.pop("inputs"), arguments.pop("out")
    summary = ingest(spark, inputs, out, **arguments)
    print(json.dumps(summary))
    spark.stop()
    sys.exit(DAMAGED if summary["damaged_records"] else COMPLETE)


if __name__ == "__main__":
    # By its own name, so that executors find in the package what the driver sends them.
    from robostat.spark import main as by_name

    by_name()
