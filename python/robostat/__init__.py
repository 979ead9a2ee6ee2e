"""robostat from Python: ingest archived robots.txt captures, and query them with DuckDB.

>>> import robostat
>>> summary = robostat.ingest("samples/crawl.warc.gz", "out/", subset="robotstxt", progress=False)
>>> summary["captures"]
359
>>> answer = robostat.query("out/", "agent-adoption", top=10)
>>> frame = answer.df()

The package runs the program of the same name, which was installed with it. `query` and `connect`
need the package `duckdb` (``pip install robostat[duckdb]``), `plot` needs matplotlib
(``robostat[plot]``).
"""

from robostat import queries
from robostat._commands import check, diff, history, report, verify
from robostat._connect import connect
from robostat._ingest import Summary, ingest
from robostat._plot import plot
from robostat._program import RobostatError, find_program, run
from robostat._query import query

__all__ = [
    "RobostatError",
    "Summary",
    "check",
    "connect",
    "diff",
    "find_program",
    "history",
    "ingest",
    "plot",
    "queries",
    "query",
    "report",
    "run",
    "verify",
]
