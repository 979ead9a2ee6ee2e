"""`robostat.spark.query` on a standalone cluster, against the program's answers for the merge.

Without Java or pyspark these tests are skipped.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import robostat
import robostat.spark
from spark_cluster import Cluster, slow_program, wait


@pytest.fixture(scope="module")
def spark(cluster: Cluster) -> Iterator[Any]:
    session = cluster.session()
    yield session
    session.stop()


def assert_answer(found: Any, merged: Path, tmp_path: Path, name: str, *options: str) -> None:
    """Compares rows, their order and types with what Spark reads of the program's answer."""
    answer = tmp_path / "answer.parquet"
    robostat.run(["query", f"--output={answer}", *options, "--", merged, name], show_errors=False)
    expected = found.sparkSession.read.parquet(str(answer))
    assert found.schema == expected.schema
    assert found.collect() == expected.collect()


@pytest.mark.parametrize(
    ("words", "parameters"),
    [
        ("agent-adoption --set=top=5", {"top": 5}),
        ("agent-adoption --each-crawl", {"each_crawl": True}),
        ("status-classes --crawl=2025-10", {"crawl": "2025-10"}),
        # This query chooses crawlers by all policies, unless they are named.
        ("agent-bias --each-crawl", {"each_crawl": True}),
        ("agent-bias --set=agents=GPTBot,CCBot", {"agents": ["GPTBot", "CCBot"]}),
        # Crawls are compared; dates, times, and columns without a value.
        ("agent-panel --set=before=2024-10", {"before": "2024-10"}),
        ("openings-and-closings", {}),
        ("rule-history --set=agents=CCBot --set=top=20", {"agents": ["CCBot"], "top": 20}),
        # No rows.
        ("licences --each-crawl", {"each_crawl": True}),
    ],
)
def test_an_answer_is_that_of_the_merge(
    spark: Any,
    crawl_datasets: list[Path],
    merged: Path,
    tmp_path: Path,
    words: str,
    parameters: dict[str, Any],
) -> None:
    name, *options = words.split()
    found = robostat.spark.query(spark, crawl_datasets, name, **parameters)
    assert_answer(found, merged, tmp_path, name, *options)
    assert found.isEmpty() == (name == "licences")


def test_what_cannot_be_asked_is_an_error_of_the_driver(
    spark: Any, crawl_datasets: list[Path], merged: Path, tmp_path: Path
) -> None:
    cases: list[tuple[Any, dict[str, Any], str]] = [
        (crawl_datasets, {"name": "agent-adption"}, "is it agent-adoption"),
        (crawl_datasets, {"name": "corpus", "topp": 3}, "no parameter topp"),
        (crawl_datasets, {"name": "agent-adoption", "crawl": "2020"}, "no crawl 2020"),
        ([*crawl_datasets, merged], {"name": "corpus"}, "has the crawl 2024-10"),
        (tmp_path, {"name": "corpus"}, "not a robostat dataset"),
        (f"{tmp_path}/*/", {"name": "corpus"}, "no datasets were found"),
    ]
    for datasets, parameters, message in cases:
        with pytest.raises(robostat.RobostatError, match=message):
            robostat.spark.query(spark, datasets, **parameters)


def test_an_error_of_a_task_has_the_message_of_the_program(
    spark: Any, crawl_datasets: list[Path], tmp_path: Path
) -> None:
    program = slow_program(tmp_path, 'echo "robostat: no disk" >&2; exit 1')
    with pytest.raises(Exception, match="robostat: no disk"):
        robostat.spark.query(spark, crawl_datasets, "corpus", program=program)


def test_rows_are_equal_if_a_worker_is_killed(
    cluster: Cluster, spark: Any, crawl_datasets: list[Path], merged: Path, tmp_path: Path
) -> None:
    log = tmp_path / "begun"
    program = slow_program(tmp_path, f"echo begun >> {log}; sleep 3")

    def kill() -> None:
        wait(lambda: log.exists() and log.read_text().count("begun") >= 2, "tasks")
        cluster.kill("two")

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        found = robostat.spark.query(
            spark, crawl_datasets, "agent-adoption", each_crawl=True, program=program
        )
    finally:
        killer.join()
        cluster.add_worker("two")
    assert log.read_text().count("begun") > 3, "a task was run again"
    assert_answer(found, merged, tmp_path, "agent-adoption", "--each-crawl")
