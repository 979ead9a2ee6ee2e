"""`connect`: a dataset in the DuckDB of this process."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import duckdb

from robostat._program import StrPath, datasets, run


def connect(
    out: StrPath | Iterable[StrPath], connection: duckdb.DuckDBPyConnection | None = None
) -> duckdb.DuckDBPyConnection:
    """A DuckDB connection with the tables, views and queries of the dataset in `out`.

    Tables and views have their names (``captures``, ``hosts``, …); every shipped query is a table
    macro: ``FROM agent_adoption(top := 10)``. The views are those of the dataset's last commit;
    connect again to see a later one. `robostat schema` describes the tables.

    >>> connection = robostat.connect("out/")
    >>> connection.sql("SELECT count(*) FROM captures").fetchall()
    [(359,)]

    Args:
        out: the dataset, wherever it has been moved to; several that are queried together, or a pattern
            such as ``"2026-*/"``.
        connection: a connection to add them to, instead of a new one in memory, whose
            timestamps are in UTC.

    Raises:
        ImportError: the package ``duckdb`` is not installed.
        FileNotFoundError: `out` is not a dataset, or lacks a part.
        RobostatError: several datasets cannot be queried together.
        ValueError: the size of a part differs from the manifest, or the part is not in it.
    """
    duckdb = import_duckdb("connect")
    if len(directories := datasets(out)) > 1:
        sql = run(["export", "--for=duckdb", "--output=-", "--", *directories]).stdout
        connection = connection or connected(duckdb)
        connection.execute(sql)
        return connection
    directory = Path(os.path.abspath(directories[0]))
    views = directory / "views.sql"
    if not views.is_file():
        raise FileNotFoundError(
            f"{directory}: no robostat dataset; name the output directory of robostat.ingest"
        )
    sql = views.read_text(encoding="utf-8")
    _check_parts(directory, sql)
    connection = connection or connected(duckdb)
    # The dataset's current path: it may have been moved since it was written.
    literal = "'" + str(directory).replace("'", "''") + "'"
    connection.execute(f"SET VARIABLE dataset = {literal}")
    connection.execute(sql)
    return connection


def import_duckdb(function: str) -> Any:
    """The package `duckdb`, which is optional."""
    try:
        import duckdb
    except ImportError as error:
        message = f"robostat.{function} needs the package duckdb: pip install robostat[duckdb]"
        raise ImportError(message) from error
    return duckdb


def connected(duckdb: Any) -> Any:
    """A new connection in memory, with timestamps in UTC."""
    return duckdb.connect().execute("SET TimeZone = 'UTC'")


def _check_parts(directory: Path, sql: str) -> None:
    """Checks that the parts in `sql` exist, and have the sizes in the manifest."""
    sizes: dict[str, int] = {}
    for commit in (directory / "manifest").glob("*.json"):
        added = json.loads(commit.read_text(encoding="utf-8"))["added"]
        sizes |= {part["path"]: part["bytes"] for part in added}
    for path in re.findall(r"dataset_path\('([^']*)'\)", sql):
        try:
            size = (directory / path).stat().st_size
        except FileNotFoundError as error:
            message = f"{directory / path}: a part is missing; `robostat verify` lists all problems"
            raise FileNotFoundError(message) from error
        # The catalogue of crawlers is not a part.
        if "/" in path and path not in sizes:
            raise ValueError(
                f"{directory / path}: a part that the manifest does not list: a file of "
                "manifest/ is missing; `robostat verify` lists all problems"
            )
        if size != sizes.get(path, size):
            raise ValueError(
                f"{directory / path}: {size} bytes, {sizes[path]} by the manifest; "
                "`robostat verify` lists all problems"
            )
