"""`ingest`: from WARC files to a dataset."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from typing import Any, Literal, TypedDict, cast

from robostat import _program
from robostat._program import StrPath, checked, execute, find_program, several, with_paths

COMPLETE = 0
DAMAGED = 3


class _Skipped(TypedDict):
    path: str
    reason: str
    message: str


class Summary(TypedDict):
    """What an ingest did, as ``robostat ingest --json`` prints it. Values are counts unless noted.

    Later versions may add keys.
    """

    inputs: int
    inputs_not_warc: int
    inputs_without_captures: int
    """Inputs that could be read and have no capture: the reason is in
    `inputs.no_captures_reason`."""
    inputs_ingested_before: int
    inputs_unreadable: int
    inputs_replaced: int
    captures_replaced: int
    skipped: list[_Skipped]
    """Inputs that were given or found but not read, with the reason."""
    files_passed_over: dict[str, int]
    """Files in folders, tar and zip files that are not a robots.txt, by reason."""
    bytes_in: int
    records: int
    captures: int
    pages: int
    captures_by_status: dict[str, int]
    responses_passed_over: int
    """Responses to other URLs than a robots.txt."""
    valid_digests: int
    invalid_digests: int
    files: int
    """Distinct robots.txt files in the dataset, after this run."""
    policies: int
    """Distinct rule sets in the dataset, after this run."""
    rows: dict[str, int]
    """New rows of each table."""
    responses_without_target_uri: int
    damaged_records: int
    """Damaged ranges; the table ``damage`` has a row for each."""
    record_bytes: int
    damaged_bytes: int
    bytes_skipped: int
    small_parts: int
    nothing_ingested: str | None
    """Why the run failed without adding anything; None for other runs."""
    seconds: float


def ingest(
    inputs: StrPath | Iterable[StrPath],
    out: StrPath,
    *,
    crawl: str | None = None,
    subset: Literal["robotstxt", "mixed"] | None = None,
    jobs: int | None = None,
    keep_bodies: bool = False,
    verify_digests: bool = False,
    force: bool = False,
    strict: bool = False,
    progress: bool = True,
    options: Iterable[str] = (),
) -> Summary:
    """Reads WARC files, and writes or extends the dataset in the directory `out`.

    Inputs that the dataset has already are skipped. Damage in an input loses only the damaged
    records: `damaged_records` of the summary counts them, and the table ``damage`` has the places.

    Args:
        inputs: a file, a directory (read recursively), or several of them.
        out: the directory of the dataset.
        crawl: label of the crawl [the WARC's isPartOf, else ``default``].
        subset: which responses become captures [``robotstxt`` for inputs in a directory of that
            name, else ``mixed``: responses to a robots.txt URL].
        jobs: number of threads [the number of processors].
        keep_bodies: store each file's bytes in ``files.body``.
        verify_digests: compare captures with their digests.
        force: ingest inputs again that were ingested before.
        strict: raise if an input is damaged; the rest is still committed.
        progress: show the progress bar on standard error.
        options: further options, as on the command line: ``["--max-sitemaps", "100"]``.

    Returns:
        The summary.

    Raises:
        RobostatError: the run failed, or `strict` found damage. Earlier commits stay.
        FileNotFoundError: the program is not found.
        TypeError: `options` is a string, and not a list of strings.
    """
    if isinstance(inputs, (str, os.PathLike)):
        inputs = [inputs]
    words = _program.options(
        crawl=crawl,
        subset=subset,
        jobs=jobs,
        keep_bodies=keep_bodies,
        verify_digests=verify_digests,
        force=force,
        strict=strict,
        quiet=not progress,
    )
    arguments = ["ingest", "--json", *several("options", options), *words]
    arguments, listed = with_paths(arguments, several("inputs", inputs), [out])
    process = execute([find_program(), *arguments], stdin=listed, show_errors=progress)
    summary: Any = json.loads(checked(process, (COMPLETE, DAMAGED)).stdout)
    return cast(Summary, summary)
