"""The Python code of the documentation runs as written."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import PROJECT, SAMPLES

import robostat

PAGES = [PROJECT / "README.md", *sorted((PROJECT / "docs").glob("*.md"))]
# The language of a block, the reason why it is not run (if it is not), and its text.
BLOCK = re.compile(r"^```(\w+)(?: ([\w-]+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page: Path) -> list[tuple[str, str, str]]:
    return BLOCK.findall(page.read_text(encoding="utf-8"))


def has_python(page: Path) -> bool:
    return any(language == "python" for language, _, _ in blocks(page))


@pytest.mark.parametrize("page", [page for page in PAGES if has_python(page)], ids=lambda it: it.name)
def test_python_of_a_page_runs(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All blocks of a page run in order, in one folder; the shell's blocks make its datasets."""
    if any(language == "python" and "pyspark" in text for language, _, text in blocks(page)):
        pytest.importorskip("spark_cluster")  # which skips the page without Java or pyspark
    (tmp_path / "samples").symlink_to(SAMPLES)
    programs = [str(Path(robostat.find_program()).parent), str(Path(sys.executable).parent)]
    monkeypatch.setenv("PATH", os.pathsep.join([*programs, os.environ["PATH"]]))
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for language, reason, text in blocks(page):
        if language == "python":
            code = compile(text, f"{page.name}: {text}", "exec")
            if not reason:
                exec(code, names)
        elif language == "sh" and not reason:
            subprocess.run(["sh", "-e", "-c", text], check=True, stdout=subprocess.DEVNULL)
