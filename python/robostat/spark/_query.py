"""`query`: a task queries each dataset; the rows are combined."""

from __future__ import annotations

import io
import json
import os
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from robostat._program import RobostatError, StrPath, checked, options, run
from robostat._query import typed
from robostat.spark._executor import Executor, scratch_directory
from robostat.spark._hadoop import absolute, join, local_path
from robostat.spark._storage import Storage

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

FAILED = 1


@dataclass(frozen=True)
class _Step:
    """A part of the answer: datasets that are queried together."""

    datasets: tuple[str, ...]
    arguments: tuple[str, ...]
    """Options of ``robostat query``."""
    name: str
    executor: Executor


def query(
    spark: SparkSession,
    datasets: StrPath | Iterable[StrPath],
    name: str,
    *,
    each_crawl: bool = False,
    memory: str | None = None,
    program: str | None = None,
    **parameters: Any,
) -> DataFrame:
    """The answer of a shipped query on datasets, as ``robostat query`` gives it for their merge.

    A query about one crawl is answered dataset by dataset, each by a task that runs the program and
    DuckDB on an executor. A query that compares crawls needs the tables of all: one task queries
    the datasets together. So does a query that chooses crawlers by all policies, unless `agents`
    names them. In a file system of Hadoop's, a task copies its datasets to the executor's disk
    first.

    The answer passes through the driver (``spark.driver.maxResultSize``). Its rows are in the order
    of the program; those of several crawls are in order of time, dataset by dataset.

    Args:
        spark: the session. Spark Connect is not supported.
        datasets: directories as paths that mean the same on every machine, or URIs of Hadoop's file
            systems; or patterns (``hdfs:///datasets/*``). No crawl may be in two of them.
        name: the name of the query; ``robostat query`` lists all.
        each_crawl: answer for every crawl, not only for the last one in time.
        memory: memory that DuckDB may use in a task [``2GB``].
        program: path of the program on every executor, which finds DuckDB next to itself or on the
            PATH [both are sent along].
        parameters: the query's parameters: ``top=10``, ``agents=["GPTBot", "CCBot"]``. A path must
            mean the same file on every machine.

    Raises:
        RobostatError: there is no such query, parameter or dataset, or the datasets cannot be
            queried together.
        Exception: Spark's own, if a task failed too often; its text has the program's message.
        ImportError: the package ``pyarrow`` is not installed.
    """
    import pyarrow
    import pyarrow.parquet

    storage = Storage(spark)
    given = [datasets] if isinstance(datasets, (str, os.PathLike)) else datasets
    places = [each for pattern in given for each in storage.matches(absolute(pattern))]
    if not places:
        raise RobostatError("no datasets were found", FAILED)
    values = [f"{key}={typed(value)}" for key, value in parameters.items() if value is not None]
    words = options(set=values, each_crawl=each_crawl, memory=memory)
    plan = _plan(storage, places, words, name)

    executor = Executor.of(spark, program, has_queries=True)
    steps = []
    for step_places, crawl in plan:
        chosen = [] if parameters.get("crawl") else options(crawl=crawl)
        steps.append(_Step(step_places, (*words, *chosen), name, executor))
    answers = spark.sparkContext.parallelize(steps, len(steps)).map(_answer).collect()
    tables = [pyarrow.parquet.read_table(io.BytesIO(answer)) for answer in answers]
    return spark.createDataFrame(pyarrow.concat_tables(tables))


def _plan(
    storage: Storage, places: list[str], words: list[str], name: str
) -> list[tuple[tuple[str, ...], str | None]]:
    """The datasets that are queried together, and the crawl in question, for each part of the
    answer. The program decides by the manifests alone."""
    with tempfile.TemporaryDirectory(prefix="robostat-") as scratch:
        copies: dict[str, str] = {}
        for number, place in enumerate(places):
            path = local_path(place)
            if path is None:
                path = os.path.join(scratch, str(number))
                os.mkdir(path)
                storage.copy(join(place, "manifest"), Path(path, "manifest"))
            copies[os.path.join(path, "")] = place
        process = run(["query", "--plan", *words, "--", *copies, name], show_errors=False)
    steps: list[dict[str, Any]] = json.loads(process.stdout)
    return [(tuple(copies[path] for path in step["datasets"]), step["crawl"]) for step in steps]


def _answer(step: _Step) -> bytes:
    """A part of the answer as a Parquet file; the task of an executor."""
    with scratch_directory() as scratch:
        datasets = [os.path.join(step.executor.fetch(each, scratch), "") for each in step.datasets]
        answer = scratch / "answer.parquet"
        words = ["query", *step.arguments, f"--output={answer}", "--", *datasets, step.name]
        checked(step.executor.run(scratch, words), [0])
        return answer.read_bytes()
