"""`robostat.spark` on a standalone cluster: a master and two workers, processes of this machine.

Without Java or pyspark these tests are skipped.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from conftest import CRAWL

import robostat
import robostat.spark
from spark_cluster import HOST, PROGRAMS, Cluster, assert_same, slow_program, wait


def test_a_cluster_that_loses_a_worker_makes_the_dataset_of_one_ingest(
    cluster: Cluster, archives: Path, whole: Path, tmp_path: Path
) -> None:
    log = tmp_path / "begun"
    program = slow_program(tmp_path, f"echo begun >> {log}; sleep 1")
    spark = cluster.session()

    def kill() -> None:
        wait(lambda: log.exists() and log.read_text().count("begun") >= 4, "task")
        cluster.kill("two")

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        out = tmp_path / "out"
        summary = robostat.spark.ingest(
            spark, archives, out, share_bytes=1, program=program
        )
    finally:
        killer.join()
        spark.stop()
        cluster.add_worker("two")
    assert summary["shares"] == 8, "the page joined a neighbour"
    assert summary["damaged_records"] > 0
    assert log.read_text().count("begun") > 9, "something was run again"
    assert_same(out, whole)
    assert [path.name for path in tmp_path.iterdir() if path.is_dir()] == ["out"]


def test_a_task_that_runs_twice_changes_nothing(
    cluster: Cluster, archives: Path, whole: Path, tmp_path: Path
) -> None:
    # The first run of one task takes so long that Spark starts a second.
    first, runs = tmp_path / "first", tmp_path / "runs"
    script = f"echo run >> {runs}; case \"$*\" in *3.warc.gz*) mkdir {first} 2>/dev/null && sleep 60;; esac"
    spark = cluster.session(
        **{
            "spark.speculation": "true",
            "spark.speculation.interval": "100ms",
            "spark.speculation.quantile": "0.5",
            "spark.speculation.multiplier": "1.1",
            "spark.speculation.minTaskRuntime": "1s",
        }
    )
    try:
        inputs = [path for path in sorted(archives.rglob("*.gz")) if path.name != "page.warc.gz"]
        out, expected = tmp_path / "out", tmp_path / "expected"
        robostat.ingest(inputs, expected, progress=False)
        robostat.spark.ingest(
            spark, inputs, out, share_bytes=1, program=slow_program(tmp_path, script)
        )
        assert runs.read_text().count("run") > len(inputs)
        assert_same(out, expected)
    finally:
        spark.stop()


def test_a_directory_has_its_archives_in_another_share(cluster: Cluster, tmp_path: Path) -> None:
    folders = [tmp_path / "in" / name for name in "ab"]
    for folder in folders:
        folder.mkdir(parents=True)
        shutil.copy(CRAWL, folder)
    # The notes of the first folder are in the share of the second.
    (folders[0] / "notes.txt").write_text("No archive.")
    out, expected = tmp_path / "out", tmp_path / "expected"
    robostat.ingest(folders, expected, progress=False)
    spark = cluster.session()
    try:
        size = CRAWL.stat().st_size
        assert robostat.spark.ingest(spark, folders, out, share_bytes=size)["shares"] == 2
    finally:
        spark.stop()
    assert_same(out, expected)


def test_a_task_that_fails_names_its_input(
    cluster: Cluster, archives: Path, tmp_path: Path
) -> None:
    spark = cluster.session()
    out = tmp_path / "out"
    program = slow_program(
        tmp_path, 'case "$*" in *2.warc.gz*) echo "robostat: no more" >&2; exit 1;; esac'
    )
    inputs = sorted(archives.glob("*.gz"))
    try:
        with pytest.raises(Exception, match=f"{archives}/2.warc.gz: robostat: no more"):
            robostat.spark.ingest(spark, inputs, out, share_bytes=1, program=program)
        with pytest.raises(FileNotFoundError, match="nowhere.warc"):
            robostat.spark.ingest(spark, tmp_path / "nowhere.warc", out)
        with pytest.raises(robostat.RobostatError, match="nothing was ingested"):
            robostat.spark.ingest(spark, archives / "page.warc.gz", out)
    finally:
        spark.stop()
    assert not out.exists()
    assert not Path(f"{out}-shares").exists()


def test_file_systems_of_hadoop_are_read_and_written(
    cluster: Cluster, archives: Path, whole: Path, tmp_path: Path
) -> None:
    # A view of this machine's disk, which only Hadoop knows how to look up.
    table = "spark.hadoop.fs.viewfs.mounttable.store.link"
    (tmp_path / "written").mkdir()
    spark = cluster.session(
        **{
            f"{table}./in": archives.parent.as_uri(),
            f"{table}./written": (tmp_path / "written").as_uri(),
        }
    )
    out = "viewfs://store/written/out"
    try:
        source = "viewfs://store/in/robotstxt"
        robostat.spark.ingest(spark, source, out, share_bytes=40_000)
        with pytest.raises(robostat.RobostatError, match="is there already"):
            robostat.spark.ingest(spark, source, out)
    finally:
        spark.stop()
    assert_same(tmp_path / "written" / "out", whole)
    assert [path.name for path in (tmp_path / "written").iterdir()] == ["out"]
    assert f"'{out}'" in (tmp_path / "written" / "out" / "views.sql").read_text()


def test_the_script_for_spark_submit(
    cluster: Cluster, archives: Path, whole: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    process = subprocess.run(
        [str(PROGRAMS / "spark-submit"), "--master", cluster.url, "--conf", f"spark.driver.host={HOST}"]
        + ["--conf", "spark.executor.memory=512m", "--conf", "spark.ui.enabled=false"]
        + [robostat.spark.__file__, "--share-bytes", "60000", str(archives), str(out)],
        env=os.environ | {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": HOST},
        capture_output=True,
        encoding="utf-8",
    )
    assert process.returncode == 3, process.stderr
    assert '"shares": ' in process.stdout
    assert_same(out, whole)


def test_several_crawls_leave_a_dataset_each_that_are_asked_together(
    cluster: Cluster, crawls: dict[str, Path], merged: Path, tmp_path: Path
) -> None:
    # A separate name, because Java keeps the file system of each name for as long as it runs.
    table = "spark.hadoop.fs.viewfs.mounttable.crawls.link"
    (tmp_path / "written").mkdir()
    pages = {label: tmp_path / f"page-{label}.warc.gz" for label in crawls}
    for label, page in pages.items():
        page.write_text(f"<html>{label} not found</html>")
    inputs = {label: [path, pages[label]] for label, path in crawls.items()}
    spark = cluster.session(**{f"{table}./written": (tmp_path / "written").as_uri()})
    expected = robostat.run(["query", "--format=csv", merged, "corpus"], show_errors=False)
    try:
        for out in [str(tmp_path / "out"), "viewfs://crawls/written/out"]:
            summary = robostat.spark.ingest(spark, inputs, out, share_bytes=1)
            assert list(summary["crawls"]) == list(crawls)
            assert summary["shares"] == 3, "the pages joined their neighbours"
            with pytest.raises(robostat.RobostatError, match="is there already"):
                robostat.spark.ingest(spark, inputs, out)
            found = robostat.spark.query(spark, f"{out}/*", "corpus").toPandas()
            assert found["hosts"].tolist() == [40, 37, 34, 40]  # the last: all crawls
    finally:
        spark.stop()
    for place in [tmp_path / "out", tmp_path / "written" / "out"]:
        assert sorted(path.name for path in place.iterdir()) == sorted(crawls)
        answer = robostat.run(["query", "--format=csv", *place.iterdir(), "corpus"])
        assert answer.stdout.count("\n") == expected.stdout.count("\n") == 5
        for label, archive in crawls.items():
            robostat.ingest([archive, pages[label]], tmp_path / label, crawl=label, progress=False)
            assert_same(place / label, tmp_path / label)
