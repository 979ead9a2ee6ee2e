"""How `robostat.spark` divides inputs and takes paths, which needs no Spark."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from unittest.mock import Mock

import pytest

from robostat.spark import _executor, _hadoop, _ingest, _inputs, _submit
from robostat.spark._storage import Storage


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("crawls/2026", "crawls/2026"),
        ("/crawls/a b:c.warc", "/crawls/a b:c.warc"),
        ("odd:name.warc", "odd:name.warc"),
        ("file:///crawls/a%20b", "/crawls/a b"),
        ("hdfs:///crawls", None),
        ("s3a://bucket/crawls", None),
    ],
)
def test_what_is_a_path_on_this_machine(uri: str, path: str | None) -> None:
    assert _hadoop.local_path(uri) == path


def test_shares_follow_each_other_and_are_full() -> None:
    inputs = [_inputs.Input("/in", str(number), size) for number, size in enumerate([5, 1, 9, 2, 2, 1])]
    groups = list(_inputs.divide(inputs, 6))
    assert [[each.below for each in group] for group in groups] == [["0", "1"], ["2"], ["3", "4", "5"]]
    assert [len(group) for group in _inputs.divide(inputs, 1)] == [1] * 6


def test_inputs_are_in_the_order_in_which_the_program_reads_them(tmp_path: Path) -> None:
    # As paths are compared: component by component, so that a directory's files stay together.
    names = ["a.warc", "a/z.warc", "a-b/c.warc", "B.warc"]
    for name in names:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"x")
    (tmp_path / "link.warc").symlink_to(tmp_path / "missing.warc")
    found = _inputs.find(Storage(None), str(tmp_path))  # type: ignore[arg-type]
    assert [each.below for each in found] == ["B.warc", "a/z.warc", "a-b/c.warc", "a.warc"]


def test_a_directory_that_exists_is_not_a_pattern(tmp_path: Path) -> None:
    storage = Storage(None)  # type: ignore[arg-type]
    for name in ["x[1]", "x1"]:
        (tmp_path / name).mkdir()
    for given, found in [("x[1]", ["x[1]"]), ("x[12]", ["x1"]), ("x*", ["x1", "x[1]"]), ("y[1]", [])]:
        assert storage.matches(str(tmp_path / given)) == [str(tmp_path / name) for name in found]


def test_inputs_with_the_same_label_are_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["it", "--dataset-per-crawl", "a/2026/", "b/x/../2026", "out"])
    with pytest.raises(SystemExit):
        _submit.main()
    assert "two inputs have the label 2026: a/2026/ and b/x/../2026" in capsys.readouterr().err


def test_a_label_that_cannot_name_a_directory_is_refused(tmp_path: Path) -> None:
    spark = Mock(**{"sparkContext.getConf.return_value.get.return_value": None})
    for label, refusal in [("", ValueError), (".", ValueError), ("..", ValueError), (2026, TypeError)]:
        with pytest.raises(refusal, match=f"label .*{label!r}"):
            _ingest.ingest(spark, {label: "in"}, tmp_path / "out")  # type: ignore[dict-item]


def test_a_dataset_is_published_once(tmp_path: Path) -> None:
    dataset, executor = tmp_path / "dataset", _executor.Executor(None, _hadoop.Shell({}))
    (dataset / "manifest").mkdir(parents=True)
    for _ in range(2):
        executor.publish(dataset, str(tmp_path / "out"), tmp_path)
    (tmp_path / "other" / "file").mkdir(parents=True)
    with pytest.raises(OSError, match="not empty"):
        executor.publish(dataset, str(tmp_path / "other"), tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["dataset", "other", "out"]


def test_files_for_executors_last_as_long_as_the_driver(tmp_path: Path) -> None:
    driver = """
import os, sys
from unittest.mock import Mock
from robostat.spark._executor import _send, _send_package
spark = Mock()
_send(spark, "program", sys.executable)
_send_package(spark)
for given in [spark.sparkContext.addFile, spark.sparkContext.addPyFile]:
    assert os.path.exists(given.call_args.args[0])
"""
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    subprocess.run([sys.executable, "-c", driver], env=environment, check=True)
    assert list(tmp_path.iterdir()) == []
