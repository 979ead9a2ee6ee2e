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
