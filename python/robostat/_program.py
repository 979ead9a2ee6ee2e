"""The program: where it is, and how it is run."""

from __future__ import annotations

import os
import shutil
import subprocess
import sysconfig
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypeAlias, Union

StrPath: TypeAlias = Union[str, "os.PathLike[str]"]


class RobostatError(Exception):
    """The program failed; the text is what it wrote to standard error.

    `code` is its exit code: 1 failed, 2 the arguments are wrong, 130 interrupted.
    """

    def __init__(self, message: str, code: int) -> None:
        super().__init__(message)
        self.code = code


def find_program() -> str:
    """The path of the program `robostat`.

    The environment variable ``ROBOSTAT_PROGRAM`` names it, else it is the one that was installed
    with this package, else the one on the PATH.

    Raises:
        FileNotFoundError: there is none.
    """
    named = os.environ.get("ROBOSTAT_PROGRAM")
    if named:
        if Path(named).is_file():
            return named
        raise FileNotFoundError(f"ROBOSTAT_PROGRAM names {named}, which is not a file")
    for directory in _script_directories():
        program = directory / "robostat"
        if program.is_file():
            return str(program)
    on_path = shutil.which("robostat")
    if on_path:
        return on_path
    raise FileNotFoundError(
        "the program robostat is neither beside this package nor on the PATH; "
        "install it with `pip install robostat`"
    )


def _script_directories() -> Iterator[Path]:
    """Where installers put programs: in the environment, in the user's home, in ``--target``."""
    yield Path(sysconfig.get_path("scripts"))
    yield Path(sysconfig.get_path("scripts", sysconfig.get_preferred_scheme("user")))
    yield Path(__file__).resolve().parent.parent / "bin"


def run(
    arguments: Iterable[StrPath], *, codes: Iterable[int] = (0,), show_errors: bool = True
) -> subprocess.CompletedProcess[str]:
    """Runs the program and returns its exit code and what it wrote to standard output.

    Args:
        arguments: those of the program, as on the command line.
        codes: exit codes that are no failure.
        show_errors: let what it writes to standard error, the progress bar among it, through to
            this process's own. Otherwise it is in the result, and in the exception.

    Raises:
        RobostatError: the exit code is another.
        FileNotFoundError: there is no program.
    """
    command = [find_program(), *(os.fspath(argument) for argument in arguments)]
    errors = None if show_errors else subprocess.PIPE
    process = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=errors, encoding="utf-8", check=False
    )
    if process.returncode not in set(codes):
        message = (process.stderr or "").strip()
        message = message or f"robostat {command[1]}: exit code {process.returncode}"
        raise RobostatError(message, process.returncode)
    return process
