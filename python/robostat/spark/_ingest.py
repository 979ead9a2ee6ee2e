"""`ingest`: a task makes a dataset of each share of the archives; the datasets are merged."""

from __future__ import annotations

import json
import os
import subprocess
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, Union
from urllib.parse import quote

from robostat import _program
from robostat._errors import reason
from robostat._program import (
    RobostatError,
    StrPath,
    checked,
    execute,
    find_program,
    several,
    with_paths,
)
from robostat.spark._executor import Executor, scratch_directory
from robostat.spark._hadoop import absolute, join, local_path
from robostat.spark._inputs import Input, divide, find, named
from robostat.spark._storage import Storage

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

Inputs: TypeAlias = Union[StrPath, Iterable[StrPath]]
_Run: TypeAlias = Callable[..., "subprocess.CompletedProcess[str]"]

SHARE_BYTES = 1 << 30
COMPLETE, FAILED, DAMAGED = 0, 1, 3


@dataclass(frozen=True)
class _Share:
    """Inputs that one task ingests, in order."""

    inputs: tuple[Input, ...]
    arguments: tuple[str, ...]
    """Options of ``robostat ingest``."""
    out: str
    """The dataset that the share belongs to."""
    work: str
    executor: Executor


@dataclass(frozen=True)
class _Done:
    """The result of a share: a dataset, or None if no input is an archive."""

    share: _Share
    directory: str | None


@dataclass(frozen=True)
class _Merge:
    """Datasets of shares that one task merges."""

    datasets: tuple[str, ...]
    out: str
    commit_every: int | None
    executor: Executor


def ingest(
    spark: SparkSession,
    inputs: Inputs | Mapping[str, Inputs],
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

    Paths and URIs of Hadoop's file systems (``hdfs:``, ``s3a:``) are accepted. A path without a
    scheme must mean the same directory on every machine.

    A mapping of labels to inputs makes a dataset for each crawl, ``out/LABEL``; `query` queries
    them together. Tasks merge the shares of each dataset; the driver merges nothing.

    Args:
        spark: the session. Spark Connect is not supported.
        inputs: files or directories (read recursively), or several of them; or a mapping of a
            crawl's label to these.
        out: the directory of the dataset, or of the datasets. On a disk, it may hold a dataset,
            which is extended; in another file system, or for several crawls, the directory of a
            dataset must not exist.
        crawl: label of the crawl [the WARC's isPartOf, else ``default``].
        subset: ``robotstxt`` or ``mixed``, as in ``robostat.ingest``.
        jobs: threads of a task [``spark.task.cpus``].
        keep_bodies: store each file's bytes in ``files.body``.
        verify_digests: compare captures with their digests.
        share_bytes: least bytes of inputs per task, rounded up to whole inputs.
        commit_every: bytes of inputs after which `out` gets a commit.
        work: directory for the datasets of the tasks, which every machine can read and write; it is
            emptied [next to `out`].
        program: path of the program on every executor [the one of this package is sent along].
        options: further options of ``robostat ingest``: ``["--max-sitemaps", "100"]``.

    Returns:
        The summary of the merge, with ``shares`` and ``damaged_records``. For several crawls,
        ``crawls`` has the summary of each by its label.

    Raises:
        RobostatError: nothing could be ingested, or the merge failed.
        Exception: Spark's own, if a task failed too often; its text names the input.
        FileNotFoundError: an input is missing.
        TypeError: a mapping and `crawl` are given, or a label is not a string.
        ValueError: a label of the mapping is empty, ``.`` or ``..``.
    """
    storage, out = Storage(spark), absolute(out)
    jobs = jobs or int(spark.sparkContext.getConf().get("spark.task.cpus") or 1)
    words = _program.options(
        subset=subset, jobs=jobs, keep_bodies=keep_bodies, verify_digests=verify_digests
    )
    words = ["ingest", "--json", "--quiet", *several("options", options), *words]
    has_crawls = isinstance(inputs, Mapping)
    if has_crawls and crawl is not None:
        raise TypeError("crawl= is for one crawl; the mapping has labels")
    crawls = inputs if isinstance(inputs, Mapping) else {crawl: inputs}
    if has_crawls:
        for label in crawls:
            if not isinstance(label, str):
                raise TypeError(f"the label of a crawl must be a string, not {label!r}")
            if label in ("", ".", ".."):
                raise ValueError(f"no directory can be named after the label {label!r}")
    places = {label: join(out, quote(label, safe="")) if label and has_crawls else out for label in crawls}
    work = join(absolute(work or f"{out.rstrip('/')}-shares"), uuid.uuid4().hex)
    # A dataset on a disk may be extended.
    by_driver = not has_crawls and None not in (local_path(out), local_path(work))
    for place in places.values():
        if not by_driver and storage.exists(place):
            message = f"{place} is there already; choose a new directory"
            raise RobostatError(f"{message}, or extend a dataset on a disk", FAILED)

    executor = Executor.of(spark, program)
    shares = []
    for label, given in crawls.items():
        arguments = (*words, *_program.options(crawl=label))
        share = _Share((), arguments, places[label], work, executor)
        given = [given] if isinstance(given, (str, os.PathLike)) else several("inputs", given)
        found = [each for name in given for each in find(storage, os.fspath(name))]
        shares += [replace(share, inputs=group) for group in divide(found, share_bytes)]
    if {share.out for share in shares} != set(places.values()) or not shares:
        raise RobostatError("no inputs were found", FAILED)

    storage.make(work)
    try:
        done = _run_all(spark, shares)
        merges = [_Merge((), place, commit_every, executor) for place in places.values()]
        for number, merge in enumerate(merges):
            datasets = [each.directory or "" for each in done if each.share.out == merge.out]
            merges[number] = replace(merge, datasets=tuple(datasets))
        if by_driver:
            summaries = [_merge(merges[0], _run_here, merges[0].datasets, out)]
        else:
            tasks = spark.sparkContext.parallelize(merges, len(merges))
            summaries = tasks.map(_merge_apart).collect()
    finally:
        storage.remove(work)
    damaged = sum(summary["rows"]["damage"] for summary in summaries)
    totals = {"shares": len(done), "damaged_records": damaged}
    if has_crawls:
        return {"crawls": dict(zip(crawls, summaries, strict=True)), **totals}
    return {**summaries[0], **totals}


def _run_all(spark: SparkSession, shares: list[_Share]) -> list[_Done]:
    """Runs all shares. A share without a WARC file makes no dataset, and joins its neighbour."""
    done: dict[_Share, _Done] = {}
    while True:
        left = [share for share in shares if share not in done]
        for result in spark.sparkContext.parallelize(left, len(left)).map(_run).collect():
            done[result.share] = result
        empty = [place for place, share in enumerate(shares) if done[share].directory is None]
        if not empty:
            return [done[share] for share in shares]
        place = empty[0]
        neighbours = [
            first
            for first in (place - 1, place)
            if 0 <= first < len(shares) - 1 and shares[first].out == shares[first + 1].out
        ]
        if not neighbours:
            message = f"nothing was ingested: no input can be read: {named(shares[place].inputs)}"
            raise RobostatError(message, FAILED)
        first = neighbours[0]
        joined = shares[first].inputs + shares[first + 1].inputs
        shares = [*shares[:first], replace(shares[first], inputs=joined), *shares[first + 2 :]]


def _run(share: _Share) -> _Done:
    """Ingests a share; the task of an executor."""
    with scratch_directory() as scratch:
        inputs, staged = _stage(share, scratch)
        out = scratch / uuid.uuid4().hex
        arguments, listed = with_paths(share.arguments, inputs, [out])
        process = share.executor.run(scratch, arguments, listed)
        message = reason(process.stderr)
        for prefix in staged:
            message = message.replace(prefix, "")
        summary = json.loads(process.stdout or "{}")
        if summary.get("nothing_ingested"):
            return _Done(share, None)
        if process.returncode not in (COMPLETE, DAMAGED):
            raise RobostatError(f"{named(share.inputs)}: {message}", process.returncode)
        # The archives of a directory may all be in another share.
        if any(each["reason"] == "unreadable" for each in summary["skipped"]):
            raise RobostatError(f"cannot be read: {message}", FAILED)
        return _Done(share, share.executor.leave(out, share.work, scratch))


def _stage(share: _Share, scratch: Path) -> tuple[list[str], list[str]]:
    """Puts the inputs where the program finds them under the names that one ingest gives them.

    Returns the arguments for the program, and the prefixes of the paths of inputs.
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
            prefix = scratch / "in" / str(len(prefixes))
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
            share.executor.shell.get(uris, directory, scratch)
        except OSError as error:
            raise RobostatError(f"{named(share.inputs)}: {error}", FAILED) from None
    return arguments, prefixes


def _merge_apart(merge: _Merge) -> dict[str, Any]:
    """Merges datasets on an executor's disk, and publishes the result."""
    executor = merge.executor
    with scratch_directory() as scratch:
        datasets = [executor.fetch(directory, scratch) for directory in merge.datasets]
        merged = scratch / "merged"
        run = partial(executor.run, scratch)
        summary = _merge(merge, run, datasets, merged)
        # The views must have the place of the dataset, not this disk.
        checked(run(["export", "--for=duckdb", f"--base-url={merge.out}", "--", str(merged)]), [0])
        executor.publish(merged, merge.out, scratch)
        return summary


def _merge(merge: _Merge, run: _Run, datasets: Sequence[StrPath], out: StrPath) -> dict[str, Any]:
    """Makes one dataset of several on this machine."""
    words = _program.options(output=out, commit_every=merge.commit_every)
    arguments, listed = with_paths(["merge", "--json", "--quiet", *words], datasets)
    process = checked(run(arguments, stdin=listed), (COMPLETE, DAMAGED))
    summary: dict[str, Any] = json.loads(process.stdout)
    return summary


def _run_here(arguments: Sequence[str], stdin: bytes | None) -> subprocess.CompletedProcess[str]:
    return execute([find_program(), *arguments], stdin=stdin)
