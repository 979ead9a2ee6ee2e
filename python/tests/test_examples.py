"""The examples run as they are."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest
from conftest import PROJECT
from jupyter_client.manager import start_new_kernel
from nbclient import NotebookClient

import robostat

EXAMPLES = PROJECT / "examples"


def texts(notebook: nbformat.NotebookNode) -> list[str]:
    """What the cells show, without images and the traces of progress."""
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    shown = [output.get("text") or output["data"].get("text/plain") for output in outputs]
    return [text for text in shown if text]


def test_the_notebook_shows_what_it_has_shown() -> None:
    """`ROBOSTAT_UPDATE=1 pytest -k notebook` accepts other outputs."""
    path = EXAMPLES / "notebook.ipynb"
    notebook = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    before = texts(notebook)
    client = NotebookClient(notebook, timeout=300, record_timing=False)
    client.resources = {"metadata": {"path": str(EXAMPLES)}}
    client.execute()
    if os.environ.get("ROBOSTAT_UPDATE"):
        nbformat.write(notebook, path)  # type: ignore[no-untyped-call]
    else:
        assert texts(notebook) == before
    images = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert any("image/png" in output.get("data", {}) for output in images)


def test_a_notebook_shows_progress_in_place_and_messages_as_text(tmp_path: Path) -> None:
    """In a kernel of its own, with a script in place of a long run."""
    program = tmp_path / "program"
    drawn = [r"\033[2K██░░ 50%%\r\033[2Ka message\n", r"\033[2K████ 99%%", r"\r\033[2K"]
    lines = [f"printf '{text}' >&2; sleep 1" for text in drawn]
    program.write_text("\n".join(["#!/bin/sh", "test -t 2 || exit 1", *lines]))
    program.chmod(0o755)
    manager, client = start_new_kernel(env={**os.environ, "ROBOSTAT_PROGRAM": str(program)})
    shown, printed = [], ""

    def keep(message: dict[str, Any]) -> None:
        nonlocal printed
        if "data" in message["content"]:
            shown.append(message["content"]["data"]["text/plain"])
        printed += message["content"].get("text", "")

    try:
        code = "import robostat; assert robostat.run(['verify']).returncode == 0"
        reply = client.execute_interactive(code, output_hook=keep, timeout=60)
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
    assert reply["content"]["status"] == "ok"
    assert printed == "a message\n"
    assert shown[-2:] == ["████ 99%", ""]


def test_ids_stay_exact_in_pandas(dataset: Path) -> None:
    command = [sys.executable, str(EXAMPLES / "pandas_ids.py"), str(dataset)]
    printed = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    assert "policy_id is float64 by default, Int64 here" in printed
    assert "policies that name GPTBot: 6; a float would change the ids of 6" in printed


@pytest.mark.skipif(shutil.which("Rscript") is None, reason="no R on the PATH")
def test_r_gets_the_same_rows(dataset: Path) -> None:
    directory = str(Path(robostat.find_program()).parent)
    environment = {**os.environ, "PATH": os.pathsep.join([directory, os.environ["PATH"]])}
    command = ["Rscript", str(EXAMPLES / "agents.R"), str(dataset)]
    process = subprocess.run(command, stdout=subprocess.PIPE, text=True, env=environment)
    assert process.returncode == 0
    with robostat.connect(dataset) as connection:
        ((captures,),) = connection.execute(
            "SELECT count(*) FROM captures JOIN agents USING (policy_id)"
            " WHERE product_token = 'gptbot'"
        ).fetchall()
    assert f"captures with rules for GPTBot: {captures}" in process.stdout


def test_the_conformance_cases_run_with_the_parser_of_python() -> None:
    script = PROJECT / "crates/robots-dialects/conformance/run.py"
    command = [sys.executable, str(script), "urllib.robotparser"]
    process = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    # How many are right depends on the version of Python.
    assert re.search(r"robotparser: \d+ of 179 right by rfc9309", process.stdout)


class Repository:
    """A git repository, made in the test."""

    def __init__(self, path: Path, hash_function: str = "sha1") -> None:
        self.path = path
        options = ["--quiet", "--initial-branch=main", f"--object-format={hash_function}"]
        self.git("init", *options, str(path), path=path.parent)

    def git(self, *words: str, path: Path | None = None, date: str = "2024-01-01T00:00:00Z") -> None:
        command = ["git", "-C", str(path or self.path), "-c", "commit.gpgsign=false", *words]
        names = [f"GIT_{who}_{what}" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")]
        people = dict.fromkeys(names, "a@b.example")
        dates = {"GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date}
        subprocess.run(command, check=True, env={**os.environ, **people, **dates})

    def commit(self, date: str, files: dict[str, str | None]) -> None:
        for name, text in files.items():
            file = self.path / name
            file.parent.mkdir(parents=True, exist_ok=True)
            if text is None:
                file.unlink()
            else:
                file.write_text(text)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message=files", date=date)


def git_history(*words: str) -> "subprocess.CompletedProcess[str]":
    directory = str(Path(robostat.find_program()).parent)
    path = os.pathsep.join([directory, os.environ["PATH"]])
    command = [sys.executable, str(EXAMPLES / "git_history.py"), *words]
    return subprocess.run(
        command, stderr=subprocess.PIPE, text=True, env={**os.environ, "PATH": path}
    )


@pytest.mark.skipif(shutil.which("git") is None, reason="no git on the PATH")
def test_months_of_a_git_repository_are_datasets(tmp_path: Path) -> None:
    blocking, open_ = "User-agent: GPTBot\nDisallow: /\n", "User-agent: *\nDisallow: /a\n"
    repository = Repository(tmp_path / "sites")
    hosts = [f"s{number}.example" for number in range(40)]
    repository.commit("2024-01-05T00:00:00Z", {f"{host}/robots.txt": open_ for host in hosts})
    repository.commit("2024-01-20T00:00:00Z", {"s0.example/robots.txt": blocking})
    # Nothing in February. In March, the first commit is not the last.
    repository.commit("2024-03-01T12:00:00Z", {"s1.example/robots.txt": None})
    repository.commit(
        "2024-03-31T23:30:00-01:00",  # in UTC, it is April
        {"s1.example/robots.txt": blocking, "README.md": "Not a robots.txt."},
    )
    # A clock that was wrong: dated before its predecessor.
    repository.commit("2024-02-10T00:00:00Z", {"s2.example/robots.txt": blocking})
    out = tmp_path / "datasets"
    done = git_history(str(repository.path), str(out))
    assert done.returncode == 0, done.stderr
    assert sorted(path.name for path in out.iterdir()) == ["2024-01", "2024-03", "2024-04"]
    rows = robostat.query(
        sorted(out.iterdir()),
        sql="SELECT crawl, count(*) AS hosts, min(fetch_time)::DATE::VARCHAR AS day"
        " FROM captures GROUP BY crawl ORDER BY crawl",
    ).fetchall()
    days = ["2024-01-20", "2024-03-01", "2024-04-01"]
    assert rows == [(day[:7], hosts, day) for day, hosts in zip(days, [40, 39, 40], strict=True)]
    series = robostat.queries.panel_over_time(sorted(out.iterdir()), agents=["gptbot"])
    counts = [
        (row["hosts_full"], row["n"], row["n_balanced"], row["hosts_entered"], row["hosts_left"])
        for row in series.df().astype(object).to_dict("records")
    ]
    assert [row[:3] for row in counts] == [(1, 40, 39), (1, 39, 39), (2, 40, 39)]
    assert [row[3:] for row in counts[1:]] == [(0, 1), (1, 0)]

    again = git_history(str(repository.path), str(out))
    assert (again.returncode, again.stderr) == (0, ""), "nothing is ingested twice"
    nothing = git_history("--folder", "elsewhere", str(repository.path), str(out))
    assert nothing.returncode == 2
    assert "no commit changes elsewhere" in nothing.stderr


@pytest.mark.skipif(shutil.which("git") is None, reason="no git on the PATH")
def test_names_of_files_and_folders_of_a_git_repository_are_given(tmp_path: Path) -> None:
    repository = Repository(tmp_path / "sites")
    files: dict[str, str | None] = {
        f"data/s{number}.example--robots": "User-agent: *\nDisallow: /\n" for number in range(3)
    }
    repository.commit("2023-07-01T00:00:00Z", files | {"other/a.example.txt": "User-agent: *\n"})
    repository.commit("2024-07-01T00:00:00Z", dict.fromkeys(files))
    repository.commit("2025-07-01T00:00:00Z", files)
    out = tmp_path / "datasets"
    options = ["--by", "year", "--folder", "data", str(repository.path), str(out), "--"]
    done = git_history(*options, "--quiet", "--name-pattern", "{host}--robots")
    assert done.returncode == 0, done.stderr
    assert sorted(path.name for path in out.iterdir()) == ["2023", "2025"]
    assert "has no data" in done.stderr
    ((hosts,),) = robostat.query(out / "2023", sql="SELECT count(*) AS n FROM hosts").fetchall()
    assert hosts == 3


@pytest.mark.skipif(shutil.which("git") is None, reason="no git on the PATH")
@pytest.mark.parametrize("hash_function", ["sha1", "sha256"])
def test_folders_of_a_git_repository_may_be_a_pattern(hash_function: str, tmp_path: Path) -> None:
    repository = Repository(tmp_path / "sites", hash_function)
    file = "data/a.example/robots.txt"
    repository.commit("2024-01-01T00:00:00Z", {file: "User-agent: *\n", "data/page.html": "-"})
    repository.commit("2024-02-01T00:00:00Z", {file: None})
    out = tmp_path / "datasets"
    done = git_history("--folder", "d*.txt", str(repository.path), str(out))
    assert done.returncode == 0, done.stderr
    assert [path.name for path in out.iterdir()] == ["2024-01"], done.stderr
    assert "2024-02: commit" in done.stderr and "has no d*.txt" in done.stderr
