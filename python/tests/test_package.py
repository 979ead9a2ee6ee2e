"""The Python package, with the program that is installed."""

import gzip
import os
import pickle
import shutil
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest
from conftest import CRAWL

import robostat


def value(connection: duckdb.DuckDBPyConnection, sql: str) -> object:
    """The only value of the only row."""
    ((found,),) = connection.execute(sql).fetchall()
    return found


def test_the_program_is_found_and_runs() -> None:
    program = robostat.find_program()
    version = robostat.run(["--version"]).stdout
    assert version.startswith("robostat ")
    module = [sys.executable, "-m", "robostat", "--version"]
    assert subprocess.run(module, stdout=subprocess.PIPE, text=True).stdout == version
    assert Path(program).is_file()


def test_a_program_that_is_named_wrongly_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROBOSTAT_PROGRAM", "/nowhere/robostat")
    with pytest.raises(FileNotFoundError, match="ROBOSTAT_PROGRAM names /nowhere/robostat"):
        robostat.find_program()


def test_ingest_returns_what_it_did(tmp_path: Path) -> None:
    out = tmp_path / "out"
    first = robostat.ingest(
        CRAWL, out, crawl="2026", subset="robotstxt", jobs=2, keep_bodies=True, progress=False
    )
    assert first["inputs"] == 1
    assert first["captures"] == sum(first["captures_by_status"].values()) == 359
    assert first["rows"]["captures"] == first["captures"]
    assert first["skipped"] == []
    # Every key that the type promises, and no other.
    assert first.keys() == robostat.Summary.__annotations__.keys()
    again = robostat.ingest([CRAWL], out, keep_bodies=True, progress=False)
    assert (again["inputs_ingested_before"], again["captures"]) == (1, 0)
    with robostat.connect(out) as connection:
        assert value(connection, "SELECT DISTINCT crawl FROM captures") == "2026"
        assert value(connection, "SELECT count(body) > 0 FROM files") is True


def test_damage_is_counted_and_raises_only_if_asked(tmp_path: Path) -> None:
    damaged = tmp_path / "-damaged.warc.gz"  # a name that begins like an option
    content = CRAWL.read_bytes()
    damaged.write_bytes(content[:200_000] + b"\0" * 64 + content[200_064:])
    summary = robostat.ingest(damaged, tmp_path / "out", subset="robotstxt", progress=False)
    assert summary["damaged_records"] > 0
    with pytest.raises(robostat.RobostatError) as raised:
        robostat.ingest(damaged, tmp_path / "strict", strict=True, progress=False)
    assert raised.value.code == 1


@pytest.mark.parametrize("progress", [False, True])
def test_a_failure_says_why(
    progress: bool, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(robostat.RobostatError, match="nothing was ingested") as raised:
        robostat.ingest(tmp_path / "none.warc.gz", tmp_path / "out", progress=progress)
    assert raised.value.code == 1 and "exit code 1" in str(raised.value)
    assert ("nothing was ingested" in capfd.readouterr().err) is progress
    with pytest.raises(robostat.RobostatError, match="--no-such-option") as raised:
        robostat.ingest(CRAWL, tmp_path / "out", options=["--no-such-option"], progress=False)
    assert raised.value.code == 2


def test_a_failure_of_another_process_arrives() -> None:
    error = pickle.loads(pickle.dumps(robostat.RobostatError("no more", 2)))
    assert (str(error), error.code) == ("no more", 2)


def test_a_string_is_not_a_list_of_arguments(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match=r"arguments must be a list of strings, as \['nosuch'\]"):
        robostat.run("nosuch")
    with pytest.raises(TypeError, match="options must be a list of strings"):
        robostat.ingest(CRAWL, tmp_path / "out", options="--strict")
    with pytest.raises(robostat.RobostatError, match="exit code 2"):
        robostat.run([])


def test_a_label_like_an_option_is_a_label(tmp_path: Path) -> None:
    out = tmp_path / "out"
    robostat.ingest(CRAWL, out, crawl="--force", subset="robotstxt", progress=False)
    with robostat.connect(out) as connection:
        assert value(connection, "SELECT DISTINCT crawl FROM captures") == "--force"


def test_any_number_of_inputs_of_any_name(tmp_path: Path) -> None:
    names = ["# one.warc.gz", "new\nline.warc.gz", " two .warc.gz", "ÿ.warc.gz"]
    content = CRAWL.read_bytes()
    for number, name in enumerate(names):
        (tmp_path / name).write_bytes(content + gzip.compress(b"", mtime=number))
    inputs = [tmp_path / name for name in names]
    inputs += [tmp_path / f"{'n' * 100}{number}" for number in range(40_000)]
    summary = robostat.ingest(inputs, tmp_path / "out", subset="robotstxt", progress=False)
    assert (summary["inputs"], summary["inputs_unreadable"]) == (4, 40_000)
    assert summary["captures"] == 4 * 359
    with pytest.raises(ValueError, match="NUL"):
        robostat.ingest(["a\0b"], tmp_path / "out")


def test_a_terminal_has_a_progress_bar_and_the_exception_the_reason(tmp_path: Path) -> None:
    """In a terminal of its own, so that standard error is one."""
    script = f"""
import robostat
robostat.ingest({str(CRAWL)!r}, {str(tmp_path / "out")!r}, subset="robotstxt")
try:
    robostat.ingest("none.warc", {str(tmp_path / "other")!r})
except robostat.RobostatError as error:
    assert "nothing was ingested" in str(error) and "█" not in str(error), error
"""
    source, terminal = os.openpty()
    command = [sys.executable, "-c", script]
    process = subprocess.Popen(command, stderr=terminal)
    os.close(terminal)
    shown = b""
    try:
        while read := os.read(source, 65536):
            shown += read
    except OSError:  # nobody writes any more
        pass
    os.close(source)
    assert process.wait() == 0, shown.decode()
    assert b"nothing was ingested" in shown and b"\x1b[" in shown


def test_a_program_that_is_killed_is_told_as_such(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "program"
    program.write_text("#!/bin/sh\necho last words >&2\nkill -9 $$\n")
    program.chmod(0o755)
    monkeypatch.setenv("ROBOSTAT_PROGRAM", str(program))
    with pytest.raises(robostat.RobostatError, match="last words\n.*ended by SIGKILL") as raised:
        robostat.run(["verify"], show_errors=False)
    assert raised.value.code == -9


def test_progress_goes_to_standard_error(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    robostat.ingest(CRAWL, tmp_path / "out", subset="robotstxt")
    captured = capfd.readouterr()
    assert captured.out == ""
    robostat.ingest(CRAWL, tmp_path / "quiet", subset="robotstxt", progress=False)
    assert capfd.readouterr() == ("", "")


def test_connect_gives_tables_views_and_queries(dataset: Path) -> None:
    with robostat.connect(dataset) as connection:
        assert value(connection, "SELECT count(*) FROM captures") == 359
        hosts = value(connection, "SELECT count(*) FROM hosts")
        assert isinstance(hosts, int) and hosts > 100
        rows = connection.execute("FROM agent_adoption(top := 3)").fetchall()
        assert rows[0][0] == "*" and len(rows) == 3
        # Times have a zone, for which DuckDB 1 needs pytz.
        ((first,),) = connection.execute("SELECT min(fetch_time) FROM captures").fetchall()
        assert (first.year, first.utcoffset().total_seconds()) == (2023, 0)


def test_connect_finds_a_dataset_that_was_moved(dataset: Path, tmp_path: Path) -> None:
    moved = tmp_path / "it's here" / "out"
    shutil.copytree(dataset, moved)
    connection = duckdb.connect()
    assert robostat.connect(moved, connection) is connection
    named = value(connection, "SELECT getvariable('dataset')")
    assert named == str(moved)
    assert value(connection, "SELECT count(*) FROM policies") == 129


def test_connect_says_what_is_no_dataset(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="no robostat dataset"):
        robostat.connect(tmp_path)


def test_connect_names_what_is_not_by_the_manifest(dataset: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    shutil.copytree(dataset, out)
    (part,) = (out / "rules").glob("*.parquet")
    content = part.read_bytes()
    part.write_bytes(content[:-1])
    with pytest.raises(ValueError, match=rf"{part.name}: .* by the manifest; `robostat verify`"):
        robostat.connect(out)
    part.unlink()
    with pytest.raises(FileNotFoundError, match=rf"{part.name}: a part is missing"):
        robostat.connect(out)
    part.write_bytes(content)
    max((out / "manifest").glob("*.json")).unlink()
    with pytest.raises(ValueError, match=r"a file of manifest/ is missing; `robostat verify`"):
        robostat.connect(out)


def test_connect_says_what_is_missing(dataset: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "duckdb", None)
    with pytest.raises(ImportError, match=r"pip install robostat\[duckdb\]"):
        robostat.connect(dataset)


def test_what_is_installed_with_the_program() -> None:
    """Manual and completions are where shells and man look for them, in the wheel's environment."""
    prefix = Path(robostat.find_program()).parent.parent
    if not (prefix / "pyvenv.cfg").is_file():
        pytest.skip("the program is not one of a wheel")
    manual = prefix / "share/man/man1/robostat-ingest.1"
    assert "ROBOSTAT" in manual.read_text(encoding="utf-8").upper()
    for completion in (
        "bash-completion/completions/robostat",
        "zsh/site-functions/_robostat",
        "fish/vendor_completions.d/robostat.fish",
    ):
        assert (prefix / "share" / completion).stat().st_size > 1000


def test_duckdb_is_found_beside_the_program(dataset: Path) -> None:
    program = robostat.find_program()
    if not (Path(program).parent.parent / "pyvenv.cfg").is_file():
        pytest.skip("the program is not one of a wheel")
    command = [program, "query", str(dataset), "-e", "SELECT 40 + 2 AS n", "--format", "csv"]
    process = subprocess.run(command, stdout=subprocess.PIPE, text=True, env={"PATH": "/nowhere"})
    assert process.stdout == "n\n42\n"
