"""The examples run as they are."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from conftest import PROJECT
from nbclient import NotebookClient

import robostat

EXAMPLES = PROJECT / "examples"


def test_the_notebook_runs_and_draws() -> None:
    path = EXAMPLES / "notebook.ipynb"
    notebook = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    # Committed without output, which would differ at every run.
    assert all(not cell.outputs for cell in notebook.cells if cell.cell_type == "code")
    resources = {"metadata": {"path": str(EXAMPLES)}}
    NotebookClient(notebook, timeout=120, resources=resources).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    data = [output["data"] for output in outputs if "data" in output]
    assert any("image/png" in one for one in data)
    texts = "".join(one.get("text/plain", "") for one in data)
    assert "GPTBot" in texts and "'captures': 359" in texts
    assert not [output for output in outputs if output["output_type"] == "stream"], outputs


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
