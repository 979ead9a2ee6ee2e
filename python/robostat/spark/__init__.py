"""An ingest, and questions about its datasets, on a Spark cluster.

`ingest` divides archives over the executors, and `query` asks any number of datasets. Both run the
program and DuckDB in Spark's tasks; these are sent along, with this package. Executors need Python
and, for `hdfs:`, `s3a:` and the like, nothing that Spark has not. `spark-submit` runs an ingest with
this file.

A task that is run again, or twice at a time, writes elsewhere each time, and Spark takes one result
of each task: it changes nothing.
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
