"""`spark-submit __init__.py INPUT... OUT`."""

from __future__ import annotations

import argparse
import json
import sys

from robostat.spark._hadoop import absolute
from robostat.spark._ingest import COMPLETE, DAMAGED, SHARE_BYTES, ingest


def main() -> None:
    """Runs an ingest with the arguments of the command line."""
    parser = argparse.ArgumentParser(
        prog="spark-submit __init__.py", description="Read WARC files on a Spark cluster."
    )
    parser.add_argument("inputs", nargs="+", metavar="INPUT", help="files, directories or URIs")
    parser.add_argument("out", metavar="OUT", help="the output directory")
    parser.add_argument("--crawl", metavar="LABEL", help="label of the crawl")
    parser.add_argument(
        "--dataset-per-crawl",
        action="store_true",
        help="each INPUT is a crawl, labelled with the last part of its path; OUT/LABEL is its "
        "dataset",
    )
    parser.add_argument("--subset", choices=["robotstxt", "mixed"])
    parser.add_argument("--keep-bodies", action="store_true")
    parser.add_argument("--verify-digests", action="store_true")
    parser.add_argument(
        "--share-bytes", type=int, default=SHARE_BYTES, help="bytes that a task reads [1 GiB]"
    )
    parser.add_argument("--commit-every", type=int, metavar="BYTES")
    parser.add_argument("--work", metavar="DIR", help="for the tasks' datasets [next to OUT]")
    parser.add_argument("--program", help="path of robostat on every executor")
    arguments = vars(parser.parse_args())
    inputs, out = arguments.pop("inputs"), arguments.pop("out")
    if arguments.pop("dataset_per_crawl"):
        crawls: dict[str, str] = {}
        for each in inputs:
            label = absolute(each).rstrip("/").rsplit("/", 1)[-1]
            if label in crawls:
                parser.error(f"two inputs have the label {label}: {crawls[label]} and {each}")
            crawls[label] = each
        inputs = crawls

    from pyspark.sql import SparkSession

    spark = SparkSession.builder.appName("robostat").getOrCreate()
    summary = ingest(spark, inputs, out, **arguments)
    print(json.dumps(summary))
    spark.stop()
    sys.exit(DAMAGED if summary["damaged_records"] else COMPLETE)
