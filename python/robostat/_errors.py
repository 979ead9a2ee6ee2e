"""The program's standard error: kept for the exception, and passed on as it arrives."""

from __future__ import annotations

import codecs
import os
import re
import struct
import sys
import threading
from types import TracebackType
from typing import Any

LINES = 20
"""Lines of the program that an exception contains."""

_ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_NO_REASON = re.compile("[█░]|^Usage: |^For more information, try ")


class StandardError:
    """Standard error for a process.

    The program draws its progress bar only on a terminal. So it gets a terminal if our standard
    error is one or belongs to a notebook, else a pipe.
    """

    def __init__(self, is_shown: bool) -> None:
        self._is_shown = is_shown and sys.stderr is not None
        self._kept: list[str] = []
        self._thread = threading.Thread(target=self._read, daemon=True)
        size = None
        self._show = _write
        if self._is_shown and type(sys.stderr).__module__.startswith("ipykernel"):
            size = os.terminal_size((80, 24))
            self._show = _Notebook().show
        elif self._is_shown:
            size = _terminal_size()
        if size is None:
            self._source, self.descriptor = os.pipe()
        else:
            self._source, self.descriptor = _terminal(size)

    def __enter__(self) -> StandardError:
        return self

    def begin(self) -> None:
        """Begins to read, once the process has the descriptor."""
        os.close(self.descriptor)
        self.descriptor = -1
        self._thread.start()

    def finish(self) -> str:
        """Waits for the end of the process, and returns what it wrote."""
        self._thread.join()
        return "".join(self._kept)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.descriptor >= 0:
            os.close(self.descriptor)
        else:
            self._thread.join()
        os.close(self._source)

    def _read(self) -> None:
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        while True:
            try:
                read = os.read(self._source, 65536)
            except OSError:  # a terminal that nobody writes to any more
                read = b""
            text = decoder.decode(read, final=not read)
            self._kept.append(text)
            if self._is_shown:
                self._show(text)
            if not read:
                return


def _write(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()


class _Notebook:
    """Shows in a notebook what a terminal would show: whole lines on standard error, and a line
    that is redrawn in a separate output, which is replaced each time."""

    def __init__(self) -> None:
        self._line = ""
        self._bar: Any = None

    def show(self, text: str) -> None:
        """Shows more text; an empty text is the end."""
        *lines, self._line = (self._line + text).split("\n")
        for line in lines:
            _write(f"{_visible(line)}\n")
        shown = _visible(self._line)
        if shown and self._bar is None:
            from IPython.display import display

            self._bar = display(  # type: ignore[no-untyped-call]
                {"text/plain": shown}, raw=True, display_id=True
            )
        # An erased line stays until the next one or the end, or it would flicker.
        elif self._bar is not None and (shown or not text):
            self._bar.update({"text/plain": shown}, raw=True)


def _visible(line: str) -> str:
    """The text that a line shows in the end, without the text that was drawn over."""
    return _ESCAPE.sub("", line).rpartition("\r")[2]


def reason(text: str) -> str:
    """The last lines that the program wrote, without its progress bar and usage."""
    lines = re.split(r"[\r\n]+", _ESCAPE.sub("", text))
    said = [line.rstrip() for line in lines if line.strip() and not _NO_REASON.search(line)]
    return "\n".join(said[-LINES:])


def _terminal_size() -> os.terminal_size | None:
    """The size of the terminal that standard error is, if it is one."""
    try:
        return os.get_terminal_size(sys.stderr.fileno())
    except (OSError, ValueError, AttributeError):
        return None


def _terminal(size: os.terminal_size) -> tuple[int, int]:
    """A terminal of this size: what to read from, and what to write to."""
    import fcntl
    import termios
    import tty

    source, descriptor = os.openpty()
    tty.setraw(descriptor)
    packed = struct.pack("HHHH", size.lines, size.columns, 0, 0)
    fcntl.ioctl(descriptor, termios.TIOCSWINSZ, packed)
    return source, descriptor
