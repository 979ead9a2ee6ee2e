"""`query`: the answer of a shipped query, or of SQL, as a relation of DuckDB."""

from __future__ import annotations

import datetime
import json
import numbers
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from robostat._connect import connected, import_duckdb
from robostat._program import StrPath, datasets, options, run, several

if TYPE_CHECKING:
    import duckdb


def query(
    out: StrPath | Iterable[StrPath],
    name: str | None = None,
    /,
    *,
    sql: str | None = None,
    each_crawl: bool = False,
    read: Iterable[StrPath] = (),
    memory: str | None = None,
    progress: bool = True,
    **parameters: Any,
) -> duckdb.DuckDBPyRelation:
    """Runs a shipped query, or your own SQL, on one or several datasets.

    >>> answer = robostat.query("out/", "agent-adoption", agents=["GPTBot", "CCBot"])
    >>> answer.columns[:3]
    ['product_token', 'usual_spelling', 'hosts']
    >>> answer.filter("product_token = 'gptbot'").project("hosts").fetchall()
    [(5,)]

    The relation has the whole answer in memory: `.df()` makes a pandas frame of it, `.pl()` a
    Polars frame, `.arrow()` Arrow data, and `.query("answer", "SELECT …")` queries it in SQL. Notes
    about the answer are printed to standard error. `robostat.queries` has a function for each
    query.

    Args:
        out: the dataset, several that are queried together, or a pattern such as ``"2026-*/"``.
        name: the name of the query; ``robostat.queries`` lists all.
        sql: SQL to run instead of a shipped query; every table and view is available. Text in
            parameters stays text for ``getvariable('NAME')``, also if it looks like a number. A sum
            of whole numbers (HUGEINT) becomes DOUBLE: cast it to BIGINT.
        each_crawl: answer for every crawl, not only for the last one in time.
        read: files that the SQL may read besides the dataset.
        memory: memory that DuckDB may use [2GB].
        progress: show the elapsed time and notes on standard error.
        parameters: the query's parameters, such as ``top=10``; a list may be any iterable, as an
            array of numpy. None means the default.

    Raises:
        RobostatError: the query failed, or has no such name or parameter.
        FileNotFoundError: no dataset fits the pattern.
        ImportError: the package ``duckdb`` is not installed.
        TypeError: neither a name nor SQL is given, or both; or a parameter is not text, a number,
            a date or a list of them.
    """
    package = import_duckdb("query")
    if (name is None) == (sql is None):
        raise TypeError("robostat.query takes the name of a query, or sql=")
    words = options(each_crawl=each_crawl, read=several("read", read), memory=memory)
    for key, value in parameters.items():
        if value is not None:
            words.append(f"--set={key}={typed(value, is_quoted=sql is not None)}")
    with tempfile.TemporaryDirectory() as folder:
        answer = os.path.join(folder, "answer.parquet")
        if sql is not None:
            # A system limits the length of an argument.
            name = os.path.join(folder, "query.sql")
            Path(name).write_text(sql, encoding="utf-8")
        place = [f"--output={answer}", "--", *datasets(out), name or ""]
        run(["query", *words, *place], show_errors=progress)
        connection = connected(package)
        connection.read_parquet(answer).create("answer")
    relation: duckdb.DuckDBPyRelation = connection.table("answer")
    return relation


def typed(value: Any, is_quoted: bool = False) -> str:
    """A value as the program reads it after `--set NAME=`; text in quotes stays text."""
    if str(getattr(value, "dtype", "")) == "datetime64[ns]":
        # numpy makes a number of a time in nanoseconds, which Python's times do not have.
        value = value.astype("datetime64[us]")
    if hasattr(value, "tolist"):  # of numpy, pandas or pyarrow
        value = value.tolist()
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (str, os.PathLike)):
        text = os.fsdecode(value)
        # A list with a brace would be text as a whole.
        return json.dumps(text, ensure_ascii=False).replace("{", r"\u007b") if is_quoted else text
    # NaN, which is not equal to itself, is a missing text in pandas.
    if isinstance(value, (numbers.Number, datetime.date)) and value == value:
        return str(value)
    has_values = isinstance(value, Iterable) and not isinstance(value, (bytes, bytearray))
    if not has_values or hasattr(value, "keys"):
        raise TypeError(f"a parameter is text, a number, a date or a list of them, not {value!r}")
    return f"[{','.join(typed(each, is_quoted) for each in value)}]"
