"""Data cards, judged by the programs that read them."""

import json
from itertools import islice
from pathlib import Path

import frictionless
import mlcroissant
import pytest

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
