"""Archives, and their division into shares."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from robostat.spark._hadoop import join
from robostat.spark._storage import Storage


@dataclass(frozen=True)
class Input:
    """An archive: the argument that it was found under, and its path below that."""

    argument: str
    below: str
    """Path below the argument; empty if the argument is the file."""
    bytes: int

    @property
    def uri(self) -> str:
        return join(self.argument, self.below) if self.below else self.argument


def find(storage: Storage, argument: str) -> list[Input]:
    """The files of an argument, in the order in which the program reads them."""
    argument, sizes = storage.sizes(argument)
    ordered = sorted(sizes, key=lambda name: [part.encode() for part in name.split("/")])
    return [Input(argument, name, sizes[name]) for name in ordered]


def divide(inputs: list[Input], share_bytes: int) -> Iterator[tuple[Input, ...]]:
    """Groups of consecutive inputs with at least `share_bytes` bytes, except for the last group."""
    group: list[Input] = []
    n_bytes = 0
    for each in inputs:
        group.append(each)
        n_bytes += each.bytes
        if n_bytes >= share_bytes:
            yield tuple(group)
            group, n_bytes = [], 0
    if group:
        yield tuple(group)


def named(inputs: tuple[Input, ...]) -> str:
    """The inputs, for a message."""
    names = [each.uri for each in inputs]
    return ", ".join(names[:3]) + (f" and {len(names) - 3} others" if names[3:] else "")
