"""Ingests archives, and queries the datasets, on a Spark cluster.

`ingest` divides archives among the executors, and `query` queries any number of datasets. Both run
the program and DuckDB in Spark's tasks, and send them along with this package. Executors need
Python and, for `hdfs:`, `s3a:` and the like, nothing beyond Spark. `spark-submit` runs an ingest
with this file.

A task that runs again, or twice at a time, writes to a new place each time, and Spark uses one
result of each task, so the repetition changes nothing.
"""

if __name__ == "__main__":
    import os
    import sys

    # spark-submit knows this file, but not the package that it belongs to.
    sys.path.append(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))

from robostat.spark._ingest import ingest
from robostat.spark._query import query

__all__ = ["ingest", "query"]

if __name__ == "__main__":
    from robostat.spark._submit import main

    main()
