"""Data cards, judged by the programs that read them."""

import json
import os
import subprocess
from itertools import islice
from pathlib import Path

import duckdb
import frictionless
import mlcroissant
import pytest
import yaml

import robostat

DETAILS = ["--name", "robots-sample", "--license", "CC-BY-4.0", "--creator", "Example Institute"]
ONLINE = ["--url", "https://example.org/robots", "--dataset-version", "1.0.0"]


@pytest.fixture(scope="module")
def cards(dataset: Path) -> Path:
    for form in ("croissant", "frictionless"):
        robostat.run(["export", "--for", form, *DETAILS, *ONLINE, dataset], show_errors=False)
    return dataset


def test_croissant_is_valid_and_its_tables_can_be_read(cards: Path) -> None:
    card = mlcroissant.Dataset(cards / "croissant.json")
    issues = card.metadata.ctx.issues
    assert (issues.errors, issues.warnings) == (set(), set())
    (capture,) = islice(card.records("captures"), 1)
    assert capture["captures/crawl"] == b"MADE-UP"
    assert capture["captures/warc_filename"] == b"crawl.warc.gz"
    (group,) = islice(card.records("groups"), 1)
    assert list(group["groups/user_agents"]) == [b"*"]
    with robostat.connect(cards) as connection:
        ((ids,),) = connection.execute("SELECT list(file_id) FROM files").fetchall()
    assert sorted(int(row["files/file_id"]) for row in card.records("files")) == sorted(ids)


def test_data_package_is_valid(cards: Path) -> None:
    # The descriptor alone: this reader takes Parquet through pandas, which rounds nullable ids.
    descriptor = json.loads((cards / "datapackage.json").read_text(encoding="utf-8"))
    assert list(frictionless.Package.metadata_validate(descriptor)) == []
    package = frictionless.Package(str(cards / "datapackage.json"))
    files = package.get_resource("files")
    assert files.schema.primary_key == ["file_id"]
    assert files.schema.get_field("policy_id").type == "integer"


def test_a_hub_card_loads_every_table(cards: Path, tmp_path: Path) -> None:
    robostat.run(["export", "--for", "huggingface", *DETAILS, "-o", str(tmp_path / "README.md"), cards])
    head = (tmp_path / "README.md").read_text(encoding="utf-8").split("---\n")[1]
    card = yaml.safe_load(head)
    assert card["license"] == "cc-by-4.0"
    assert [it["config_name"] for it in card["configs"] if it.get("default")] == ["hosts"]
    with robostat.connect(cards) as connection:
        for table in card["configs"]:
            (split,) = table["data_files"]
            files = [str(cards / path) for path in split["path"]]
            rows = duckdb.read_parquet(files).aggregate("count(*)").fetchall()
            name = table["config_name"]
            assert rows == connection.execute(f"SELECT count(*) FROM {name}").fetchall(), name


def test_a_citation_is_yaml(cards: Path, tmp_path: Path) -> None:
    robostat.run(["export", "--for", "zenodo", *DETAILS, *ONLINE, "-o", str(tmp_path), cards])
    citation = yaml.safe_load((tmp_path / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["authors"] == [{"name": "Example Institute"}]
    assert (citation["type"], citation["version"]) == ("dataset", "1.0.0")


def lake_answers(dataset: Path, folder: Path, sql: str) -> list[int]:
    """The numbers that SQL on the DuckLake of a dataset gives. If the extension is not where DuckDB
    keeps extensions, DuckDB fetches it."""
    lake = folder / "robots.ducklake"
    try:
        robostat.run(["export", "--for", "ducklake", "-o", str(lake), dataset], show_errors=False)
    except robostat.RobostatError as error:
        if "extension" not in str(error) and "needs DuckDB 1.5" not in str(error):
            raise
        pytest.skip(str(error).splitlines()[0])
    program = os.environ.get("ROBOSTAT_DUCKDB") or "duckdb"
    attach = f"(READ_ONLY, DATA_PATH '{dataset}/', OVERRIDE_DATA_PATH true)"
    sql = f"LOAD ducklake; ATTACH 'ducklake:{lake}' AS lake {attach}; {sql}"
    answers = subprocess.run(
        [program, "-list", "-noheader", "-c", sql], check=True, stdout=subprocess.PIPE, text=True
    ).stdout.split()
    return [int(answer) for answer in answers]


def test_ducklake_attaches_every_table(cards: Path, tmp_path: Path) -> None:
    counts = lake_answers(
        cards,
        tmp_path,
        "SELECT count(*) FROM lake.captures WHERE crawl = 'MADE-UP';"
        "SELECT count(*) FROM lake.hosts JOIN lake.agents USING (policy_id);",
    )
    with robostat.connect(cards) as connection:
        expected = connection.execute(
            "SELECT (SELECT count(*) FROM captures),"
            " (SELECT count(*) FROM hosts JOIN agents USING (policy_id))"
        ).fetchone()
    assert tuple(counts) == expected
    assert not any((cards / name).exists() for name in ["main", "robots.ducklake"])


def test_ducklake_has_lists_of_structs_with_more_nulls_than_rows(tmp_path: Path) -> None:
    added = "".join(f"Disallow: /{rule}\n" for rule in range(20))
    rows = "".join(
        f'https://{host}.example/robots.txt,{year}-01-01,200,"User-agent: *\n{rules}"\n'
        for host in range(20)
        for year, rules in [(2024, f"Disallow: /x{host}\n"), (2025, f"Disallow: /x{host}\n{added}")]
    )
    table, dataset = tmp_path / "sites.csv", tmp_path / "out"
    table.write_text("url,timestamp,status,content\n" + rows, encoding="utf-8")
    robostat.run(["ingest", "--quiet", table, dataset])
    robostat.run(["diff", dataset])
    stricter = "FROM lake.policy_diffs WHERE class = 'stricter' AND has_all_reasons;"
    sql = f"SELECT count(*) {stricter} SELECT sum(len(reasons)) {stricter}"
    assert lake_answers(dataset, tmp_path, sql) == [20, 20 * 20]
