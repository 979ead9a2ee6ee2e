"""robostat from Python: ingest archived robots.txt captures, and query them with DuckDB.

>>> import robostat
>>> summary = robostat.ingest(["crawl.warc.gz"], "out/", crawl="2026-08")
>>> summary["captures"]
>>> connection = robostat.connect("out/")
>>> connection.sql("FROM agent_adoption(top := 10)")

The package runs the program of the same name, which was installed with it. `connect` needs the
package `duckdb`: ``pip install robostat[duckdb]``.
"""

from robostat._connect import connect
from robostat._ingest import Summary, ingest
from robostat._program import RobostatError, find_program, run

__all__ = ["RobostatError", "Summary", "connect", "find_program", "ingest", "run"]
