"""The program's commands as functions: the examples in their documentation, and what fails."""

import doctest
import importlib
import inspect
import json
import os
import pkgutil
import subprocess
import sys
from pathlib import Path
from typing import get_args

import duckdb
import matplotlib
import numpy
import pandas
import pytest
from conftest import SAMPLES

import robostat
from robostat._commands import Dialect

MODULES = [f"robostat.{each.name}" for each in pkgutil.iter_modules(robostat.__path__)]


@pytest.fixture
def folder(dataset: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current directory: the samples, and a dataset `out` of them."""
    (tmp_path / "samples").symlink_to(SAMPLES)
    (tmp_path / "out").symlink_to(dataset)
    monkeypatch.chdir(tmp_path)
    matplotlib.use("agg")
    return tmp_path


@pytest.mark.parametrize("name", ["robostat", *MODULES])
def test_examples_in_the_documentation_run(name: str, folder: Path) -> None:
    if name in ("robostat.__main__", "robostat.spark"):
        pytest.skip("runs the program, or needs Spark")
    if name == "robostat":
        (folder / "out").unlink()  # its example makes it
    failed, tried = doctest.testmod(
        importlib.import_module(name), extraglobs={"robostat": robostat}
    )
    assert failed == 0
    assert tried > 0 or name in ("robostat._errors", "robostat._hadoop", "robostat._ingest")


def test_the_dialects_are_the_values_that_the_program_takes() -> None:
    with pytest.raises(robostat.RobostatError) as raised:
        robostat.run(["check", "--dialect", "none"])
    assert f"[possible values: {', '.join(get_args(Dialect))}]" in str(raised.value)


def test_every_query_is_a_function_with_its_parameters_and_documentation() -> None:
    described = json.loads(robostat.run(["query", "--format=json"]).stdout)
    assert dir(robostat.queries) == sorted(each["name"].replace("-", "_") for each in described)
    for each in described:
        function = getattr(robostat.queries, each["name"].replace("-", "_"))
        assert each["question"].split()[:3] == function.__doc__.split()[:3]
        names = list(inspect.signature(function).parameters)
        assert names == ["out", *(it["name"] for it in each["parameters"]), "further"]
    parameters = inspect.signature(robostat.queries.agent_adoption).parameters
    assert (parameters["top"].default, parameters["population"].default) == (30, "with_rules")
    assert parameters["agents"].annotation == list[str] | None
    pairs = inspect.signature(robostat.queries.agent_conflicts).parameters["pairs"]
    assert pairs.default[0] == ["ccbot", "googlebot"]


def test_queries_of_one_dataset_several_or_a_pattern(tmp_path: Path) -> None:
    for crawl, file in [("2026-01", "crawl.warc.gz"), ("2026-02", "pages.warc")]:
        robostat.ingest(SAMPLES / file, tmp_path / crawl, crawl=crawl, progress=False)
    both = [tmp_path / "2026-01", tmp_path / "2026-02"]
    answers = [robostat.query(out, "corpus") for out in (both, tmp_path / "2026-*")]
    crawls = answers[0].project("crawl").fetchall()
    assert ("2026-01",) in crawls and ("2026-02",) in crawls
    assert answers[0].fetchall() == answers[1].fetchall()
    ((count,),) = robostat.query(both, sql="SELECT count(*) FROM captures").fetchall()
    assert count > 345
    with pytest.raises(FileNotFoundError, match="no directory fits the pattern"):
        robostat.query(tmp_path / "2025-*", "corpus")


def test_timestamps_are_in_utc_in_every_time_zone(dataset: Path) -> None:
    code = """import sys, robostat
zone = "SELECT current_setting('TimeZone')"
print(robostat.connect(sys.argv[1]).sql(zone).fetchall())
print(robostat.query(sys.argv[1], sql="SELECT 1").project(zone.removeprefix("SELECT ")).fetchall())
"""
    environment = {**os.environ, "TZ": "Asia/Kolkata"}
    command = [sys.executable, "-c", code, str(dataset)]
    printed = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert printed.stdout == "[('UTC',)]\n" * 2


def test_answers_for_other_libraries(dataset: Path) -> None:
    answer = robostat.queries.agent_definitions_by_name(dataset, agents=("GPTBot", "CCBot"))
    rows = answer.fetchall()
    assert len(rows) == len(answer.df()) == answer.arrow().read_all().num_rows == 2
    assert sorted(row[0] for row in rows) == ["ccbot", "gptbot"]


def test_every_iterable_is_a_list(dataset: Path) -> None:
    names = ["GPTBot", "CCBot"]
    array = pandas.Series(names)
    for agents in [names, array, array.to_numpy(), iter(names), dict.fromkeys(names).keys()]:
        answer = robostat.queries.agent_definitions_by_name(dataset, agents=agents, progress=False)
        assert sorted(row[0] for row in answer.fetchall()) == ["ccbot", "gptbot"]
    assert robostat.queries.agent_adoption(dataset, top=array.index.size).count("*").fetchall() == [(2,)]
    for wrong in [{"GPTBot": 1}, array.to_frame(), b"GPTBot", [None], pandas.Series(["a", None])]:
        with pytest.raises(TypeError, match="a parameter is text, a number, a date or a list"):
            robostat.queries.agent_definitions_by_name(dataset, agents=wrong)


@pytest.mark.parametrize("unit", ["D", "s", "us", "ns"])
def test_a_time_of_numpy_is_a_parameter(unit: str, dataset: Path) -> None:
    sql = "SELECT getvariable('v')::TIMESTAMP::VARCHAR"
    times = numpy.array(["2024-05-06", "NaT"], dtype=f"datetime64[{unit}]")
    answer = robostat.query(dataset, sql=sql, v=times[0], progress=False)
    assert answer.fetchall() == [("2024-05-06 00:00:00",)]
    answer = robostat.query(dataset, "agent-changes", since=times[0], progress=False)
    assert answer.columns
    for wrong in [times, times[1]]:
        with pytest.raises(TypeError, match="a parameter is text, a number, a date or a list"):
            robostat.query(dataset, sql=sql, v=wrong)


def test_sql_may_be_long(dataset: Path) -> None:
    sql = f"SELECT length('{'x' * 200_000}') AS n"
    assert robostat.query(dataset, sql=sql).fetchall() == [(200_000,)]


def test_text_for_sql_stays_text(dataset: Path) -> None:
    texts = ["1e3", "true", "null", "[1]", '"q"', " a\\,\n", "{x", "'", "GPTBot"]
    for value in [*texts, texts, [texts, []], 5, 1.5, True, [1, 2]]:
        answer = robostat.query(dataset, sql="SELECT getvariable('v')", v=value, progress=False)
        assert answer.fetchall() == [(value,)]


@pytest.mark.parametrize(
    ("name", "parameters", "message"),
    [
        ("agents-adoption", {}, "no query agents-adoption; is it agent-adoption or"),
        ("block everything", {}, "unknown query block everything; `robostat query` lists them"),
        ("agent-adoption", {"topp": 3}, "no parameter topp; is it top?"),
        ("agent-adoption", {"top": "many"}, "expected a whole number from 0 to 2147483647, not many"),
        (None, {"sql": "SELEC 1"}, "syntax error at or near"),
    ],
)
def test_a_query_that_fails_says_why(
    name: str | None, parameters: dict[str, object], message: str, dataset: Path
) -> None:
    with pytest.raises(robostat.RobostatError) as raised:
        robostat.query(dataset, name, **parameters)  # type: ignore[arg-type]
    assert message in str(raised.value) and "Usage:" not in str(raised.value)
    assert raised.value.code == (1 if name is None else 2)


def test_a_query_needs_a_name_that_exists(dataset: Path) -> None:
    with pytest.raises(AttributeError, match="no query agents_adoption; is it agent_adoption"):
        robostat.queries.agents_adoption  # noqa: B018
    with pytest.raises(TypeError, match="takes the name of a query, or sql="):
        robostat.query(dataset)


def test_commands_return_what_they_print(dataset: Path, tmp_path: Path) -> None:
    page = robostat.report(dataset, tmp_path / "page.html", sections=["summary"], progress=False)
    assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    history = robostat.history(dataset, "blocks-ai.change.example", text=True)
    assert len(history["captures"]) == 3 and history["policies"]
    robots = SAMPLES / "robots"
    both = robostat.diff(robots / "allow-all.txt", robots / "disallow-all.txt", agents=["GPTBot"])
    assert [each["crawlers"] for each in both["comparisons"]] == [["GPTBot"]]
    assert robostat.check(robots / "allow-all.txt", "GPTBot", "/a")["allowed"] is True
    assert len(robostat.check(b"", "GPTBot", "/a", dialect="all")["verdicts"]) == 6
    with pytest.raises(robostat.RobostatError, match="No such file") as raised:
        robostat.check("-none.txt", "GPTBot", "/a")
    assert raised.value.code == 2
    with pytest.raises(robostat.RobostatError, match="no capture of nowhere.example"):
        robostat.history(dataset, "nowhere.example")


def test_values_that_are_not_text_are_refused() -> None:
    content = bytearray(b"User-agent: GPTBot\nDisallow: /")
    assert robostat.check(content, b"GPTBot", "/a")["allowed"] is False  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="encode the text"):
        robostat.check(content.decode(), "GPTBot", "/a")
    robots = SAMPLES / "robots/allow-all.txt"
    wrong: object
    for wrong in [None, True, float("nan"), {}]:
        with pytest.raises(TypeError):
            robostat.diff(robots, robots, agents=[wrong])  # type: ignore[list-item]
    with pytest.raises(robostat.RobostatError, match="foo"):
        robostat.run([b"foo"])  # type: ignore[list-item]


def test_no_dataset_and_no_file_are_refused(dataset: Path) -> None:
    with pytest.raises(ValueError, match="name at least one dataset"):
        robostat.connect([])
    with pytest.raises(ValueError, match="name at least one dataset"):
        robostat.query([], "corpus")
    with pytest.raises(ValueError, match="output must be a file"):
        robostat.report(dataset, "-")


def test_verify_reports_damage(tmp_path: Path) -> None:
    robostat.ingest(SAMPLES / "crawl.warc.gz", tmp_path / "out", progress=False)
    (part,) = (tmp_path / "out/rules").glob("*.parquet")
    part.write_bytes(part.read_bytes()[:-1])
    found = robostat.verify(tmp_path / "out")
    assert (found["ok"], found["state"]) == (False, "inconsistent")


def test_a_plot_has_points_intervals_and_a_source(dataset: Path, tmp_path: Path) -> None:
    matplotlib.use("agg")
    answer = robostat.queries.agents_at_a_glance(dataset, top=4)
    axes = robostat.plot(answer, share="pct_named")
    assert [label.get_text() for label in axes.get_yticklabels()] == [
        row[0] for row in answer.project("name").fetchall()
    ]
    ((_, _, (intervals,)),) = axes.containers
    ends = answer.project("pct_named_low, pct_named_high").fetchall()
    drawn = [(path[0][0], path[1][0]) for path in intervals.get_segments()]
    assert drawn == [pytest.approx(each) for each in ends]
    assert "Source: robostat" in axes.get_xlabel() and "n 272" in axes.get_xlabel()
    with pytest.raises(ValueError, match="no column pct_low in the answer"):
        robostat.plot(robostat.queries.corpus(dataset))
    with pytest.raises(ValueError, match="no column nothing"):
        robostat.plot(answer, share="nothing")


def test_a_share_without_an_interval_has_no_bars(dataset: Path) -> None:
    matplotlib.use("agg")
    answer = robostat.queries.agent_adoption(dataset, top=2)
    axes = robostat.plot(answer, share="pct_of_captured")
    ((_, _, intervals),) = axes.containers
    assert not intervals
    assert axes.get_xlabel() == "of captured, %\ncrawl MADE-UP\nSource: robostat"
    assert "Bars are" in robostat.plot(answer, share="pct_named").get_xlabel()


def test_an_answer_without_intervals_has_one_denominator(dataset: Path) -> None:
    matplotlib.use("agg")
    answer = robostat.queries.status_codes(dataset, top=3)
    n = answer.project("n").fetchall()[0][0]
    base = f"n {n}, population origins captured, unit origin, crawl MADE-UP"
    label = robostat.plot(answer, share="pct_of_origins").get_xlabel()
    assert label == f"of origins, %\n{base}\nSource: robostat"
    answer = robostat.queries.rules_read_otherwise(dataset)
    label = robostat.plot(answer, share="pct_of_rules").get_xlabel()
    assert "population rules, unit rule\n" in label
    # Hosts are not among the rules that n counts.
    label = robostat.plot(answer, share="pct_of_hosts").get_xlabel()
    assert label == "of hosts, %\nSource: robostat"


def test_a_share_with_one_end_of_an_interval_has_no_bar() -> None:
    matplotlib.use("agg")
    rows = ["('a', 50.0, 40.0, NULL)", "('b', 60.0, 55.0, 70.0)"]
    for is_drawn, some in [(False, rows[:1]), (True, rows)]:
        answer = duckdb.connect().sql(
            f"FROM (VALUES {', '.join(some)}) _(name, pct, pct_low, pct_high)"
        )
        axes = robostat.plot(answer)
        ((_, _, (intervals,)),) = axes.containers
        drawn = [(path[0][0], path[1][0]) for path in intervals.get_segments()]
        assert drawn == [(50, 50), (55, 70)][: len(some)]
        assert ("Bars are" in axes.get_xlabel()) == is_drawn


def test_labels_that_repeat_in_a_crawl_have_more_columns(dataset: Path) -> None:
    matplotlib.use("agg")
    answer = robostat.queries.status_classes(dataset)
    axes = robostat.plot(answer)
    labels = [label.get_text() for label in axes.get_yticklabels()]
    parts = answer.project("response_class, content").fetchall()
    assert labels == [", ".join(part for part in row if part) for row in parts]
    ((points, _, _),) = axes.containers
    assert list(points.get_ydata()) == list(range(len(labels)))

    rows = "('a', 'x', 1), ('a', 'y', 1), ('a', 'x', 2), ('a', 'y', 2)"
    answer = duckdb.connect().sql(f"SELECT *, 5.0 AS pct FROM (VALUES {rows}) _(name, part, crawl)")
    legend = robostat.plot(answer, share="pct").get_legend()
    assert legend and [text.get_text() for text in legend.get_texts()] == ["a, x", "a, y"]
    with pytest.raises(ValueError, match="several rows have the label a in the crawl 1; choose"):
        robostat.plot(answer.project("name, crawl, pct"), share="pct")


def test_labels_of_null_distinguish_rows() -> None:
    matplotlib.use("agg")
    for rows, labels in [
        ("('a', NULL, 'z'), ('a', 'z', NULL), ('a', NULL, 'y')", ["a, None, z", "a, z, None", "a, None, y"]),
        ("('a', NULL, 'z'), ('a', 'x', NULL), ('a', NULL, 'y')", ["a, z", "a, x", "a, y"]),
        ("(NULL, NULL, NULL), ('a', NULL, NULL)", ["None", "a"]),
    ]:
        answer = duckdb.connect().sql(
            f"SELECT *, 1 AS crawl, 5.0 AS pct FROM (VALUES {rows}) _(name, part, kind)"
        )
        twice = answer.union(answer.project("name, part, kind, crawl + 1, pct"))
        legend = robostat.plot(twice, share="pct").get_legend()
        assert legend and [text.get_text() for text in legend.get_texts()] == labels


@pytest.mark.parametrize("crawls", [["2026-01"], ["2026-01", "2026-02"]])
def test_a_plot_begins_at_0_unless_an_interval_is_below(crawls: list[str]) -> None:
    matplotlib.use("agg")
    for low, begins_at_0 in [(0.0, True), (0.1, True), (-8.0, False)]:
        rows = [f"('a', '{crawl}', 5, {low}, 9)" for crawl in crawls]
        answer = duckdb.connect().sql(
            f"FROM (VALUES {', '.join(rows)}) _(name, crawl, change, change_low, change_high)"
        )
        axes = robostat.plot(answer, share="change")
        begin, _ = axes.get_xlim() if len(crawls) == 1 else axes.get_ylim()
        assert begin == 0 if begins_at_0 else begin < low
