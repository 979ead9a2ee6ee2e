"""The program: where it is, and how it is run."""

from __future__ import annotations

import glob
import numbers
import os
import shutil
import signal
import subprocess
import sysconfig
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeAlias, TypeVar, Union

from robostat._errors import StandardError, reason

StrPath: TypeAlias = Union[str, "os.PathLike[str]"]
T = TypeVar("T")

MAX_ARGUMENT_BYTES = 100_000
"""Bytes of paths in one command line. Systems allow from 128 KiB on, environment included."""


class RobostatError(Exception):
    """The program failed; the text is the end of what it wrote to standard error.

    `code` is its exit code: 1 failed, 2 the arguments are wrong, 130 interrupted; it is negative if
    a signal of that number ended the program.
    """

    def __init__(self, message: str, code: int) -> None:
        super().__init__(message)
        self.code = code

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (*self.args, self.code), self.__dict__


def find_program() -> str:
    """The path of the program `robostat`.

    It is the path in the environment variable ``ROBOSTAT_PROGRAM``, else the program that was
    installed with this package, else the one on the PATH.

    Raises:
        FileNotFoundError: the program is not found.
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
        "the program robostat is neither next to this package nor on the PATH; "
        "install it with `pip install robostat`"
    )


def _script_directories() -> Iterator[Path]:
    """Where installers put programs: in the environment, in the user's home, in ``--target``."""
    yield Path(sysconfig.get_path("scripts"))
    yield Path(sysconfig.get_path("scripts", sysconfig.get_preferred_scheme("user")))
    yield Path(__file__).resolve().parent.parent / "bin"


def run(
    arguments: Iterable[StrPath],
    *,
    codes: Iterable[int] = (0,),
    show_errors: bool = True,
    stdin: bytes | None = None,
) -> subprocess.CompletedProcess[str]:
    """Runs the program and returns its exit code and what it wrote.

    >>> robostat.run(["schema", "captures"]).stdout.splitlines()[0]
    'captures'

    Args:
        arguments: the program's arguments, as on the command line: ``["query", "out/"]``.
        codes: exit codes that are not failures.
        show_errors: pass the program's standard error, such as the progress bar, on to
            ``sys.stderr`` as it arrives. The exception always has its end.
        stdin: bytes for its standard input, instead of this process's own.

    Raises:
        RobostatError: the exit code is not in `codes`.
        FileNotFoundError: the program is not found.
        TypeError: `arguments` is a string, and not a list of strings.
    """
    words = [os.fsdecode(word) for word in several("arguments", arguments)]
    command = [find_program(), *words]
    return checked(execute(command, stdin=stdin, show_errors=show_errors), codes)


def options(**values: Any) -> list[str]:
    """Options of the program: True is a flag, None and False give nothing, a list repeats the
    option."""
    words = []
    for name, value in values.items():
        option = "--" + name.replace("_", "-")
        if value is True:
            words.append(option)
        elif value is not None and value is not False:
            given = value if isinstance(value, list) else [value]
            words += [f"{option}={_word(each)}" for each in given]
    return words


def _word(value: Any) -> str:
    """A value in a command line; a TypeError unless it is text, a path or a number."""
    is_number = isinstance(value, numbers.Real) and not isinstance(value, bool)
    # NaN is a missing text in pandas.
    return str(value) if is_number and value == value else os.fsdecode(value)


def several(name: str, values: Iterable[T]) -> list[T]:
    """The values as a list. A string, which is an iterable of its letters, is refused."""
    if isinstance(values, (str, bytes, os.PathLike)):
        raise TypeError(f"{name} must be a list of strings, as [{values!r}], and not {values!r}")
    return list(values)


def datasets(out: StrPath | Iterable[StrPath]) -> list[str]:
    """The directories that `out` names; each ends with a slash, so that none is taken for a
    query."""
    if not isinstance(out, (str, os.PathLike)):
        if found := [os.path.join(path, "") for path in out]:
            return found
        raise ValueError("name at least one dataset: the output directory of robostat.ingest")
    path = os.fspath(out)
    if Path(path).exists() or not glob.has_magic(path):
        return [os.path.join(path, "")]
    found = sorted(each for each in glob.glob(path) if Path(each).is_dir())
    if not found:
        raise FileNotFoundError(f"no directory fits the pattern {path}")
    return [os.path.join(each, "") for each in found]


def with_paths(
    options: Iterable[str], paths: Sequence[StrPath], last: Iterable[StrPath] = ()
) -> tuple[list[str], bytes | None]:
    """Arguments with any number of paths, and the program's standard input.

    Paths that would not fit into a command line are in standard input.
    """
    names = [os.fspath(path) for path in paths]
    for name in names:
        if "\0" in name:
            raise ValueError(f"a path with a NUL: {name!r}")
    encoded = [os.fsencode(name) for name in names]
    ends = [os.fspath(path) for path in last]
    # No path is an option, whatever it begins with.
    if sum(map(len, encoded)) <= MAX_ARGUMENT_BYTES:
        return [*options, "--", *names, *ends], None
    listed = b"".join(name + b"\0" for name in encoded)
    return [*options, "--files0-from=-", "--", *ends], listed


def execute(
    command: Sequence[str], *, stdin: bytes | None = None, show_errors: bool = False
) -> subprocess.CompletedProcess[str]:
    """Runs a command, with `stdin` or else this process's own standard input."""
    with StandardError(show_errors) as errors:
        source = None if stdin is None else subprocess.PIPE
        with subprocess.Popen(
            command, stdin=source, stdout=subprocess.PIPE, stderr=errors.descriptor
        ) as process:
            errors.begin()
            try:
                output, _ = process.communicate(stdin)
            except BaseException:
                process.kill()
                raise
        kept = errors.finish()
    return subprocess.CompletedProcess(
        command, process.returncode, output.decode("utf-8", "replace"), kept
    )


def checked(
    process: subprocess.CompletedProcess[str], codes: Iterable[int]
) -> subprocess.CompletedProcess[str]:
    """The process, if its exit code is one of `codes`."""
    code = process.returncode
    if code in set(codes):
        return process
    name = "robostat " + " ".join(process.args[1:2])
    end = f"exit code {code}"
    if code < 0:
        end = f"ended by {signal.Signals(-code).name}"
        if -code == signal.SIGKILL:
            end += ", which the system sends when memory runs out"
    raise RobostatError(f"{reason(process.stderr)}\n({name.strip()}: {end})".strip(), code)
