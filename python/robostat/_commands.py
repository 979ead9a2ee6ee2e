"""The other commands of the program, as functions."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal, TypeAlias

from robostat._program import StrPath, datasets, options, run, several

Dialect: TypeAlias = Literal[
    "rep1994", "koster1996", "conner1996", "rep2019", "rfc9309", "google", "all"
]

CONSISTENT, DAMAGED = 0, 3
ALLOWED, DISALLOWED = 0, 1


def report(
    out: StrPath | Iterable[StrPath],
    output: StrPath = "report.html",
    *,
    title: str | None = None,
    sections: Iterable[str] = (),
    agents: Iterable[str] = (),
    crawl: str | None = None,
    ranks: StrPath | None = None,
    sites: StrPath | None = None,
    baseline: StrPath | None = None,
    name_hosts: bool = False,
    progress: bool = True,
) -> Path:
    """Writes a report on the dataset in `out`, and returns the path of its file.

    >>> robostat.report("out/", "gptbot.md", agents=["GPTBot"], progress=False).name
    'gptbot.md'

    Args:
        out: the dataset, several that are queried together, or a pattern such as ``"2026-*/"``.
        output: where to write: ``.html`` (and a ``report.json`` next to it), ``.md`` or ``.json``.
        title: the heading.
        sections: ids of chapters and sections to write [all].
        agents: the crawlers that the report is about [the eight AI crawlers named in the
            most policies, or a section's own choice].
        crawl: the crawl that the report is about [the last one in time].
        ranks: ranks of domains, CSV or Parquet, to compare popular sites with others.
        sites: the sites that series over time follow, CSV or Parquet, in place of hosts.
        baseline: another dataset, to compare with.
        name_hosts: let the report name hosts.
        progress: show the progress bar on standard error.

    Raises:
        RobostatError: there is no dataset, no DuckDB, or the file cannot be written.
        ValueError: `output` is ``-``, which names no file.
    """
    if os.fspath(output) == "-":
        raise ValueError("output must be a file; robostat.run(['report', …]) returns what it prints")
    words = options(
        output=output,
        title=title,
        sections=several("sections", sections),
        agents=several("agents", agents),
        crawl=crawl,
        ranks=ranks,
        sites=sites,
        baseline=baseline,
        name_hosts=name_hosts,
        quiet=not progress,
    )
    run(["report", *words, "--", *datasets(out)], show_errors=progress)
    return Path(output)


def history(
    out: StrPath | Iterable[StrPath],
    site: str,
    *,
    crawl: str | None = None,
    www: bool = False,
    subdomains: bool = False,
    text: bool = False,
) -> dict[str, Any]:
    """What a site answered, capture by capture, and what changed: ``host`` and ``captures``.

    >>> first, *_ = robostat.history("out/", "blocks-ai.change.example")["captures"]
    >>> first["fetch_status"], first["change"]["kind"]
    (200, 'first')

    Args:
        out: the dataset, several that are queried together, or a pattern such as ``"2026-*/"``.
        site: a host, with or without a port, or a URL.
        crawl: only this crawl [all].
        www: the host with and without ``www.`` in front.
        subdomains: also the hosts below it.
        text: add the text of each policy, by its id, as ``policies``.

    Raises:
        RobostatError: there is no dataset, no such crawl, or no capture of the site.
    """
    words = options(crawl=crawl, www=www, subdomains=subdomains, text=text)
    return _json(["history", *words, "--", *datasets(out), site])


def diff(
    old: StrPath,
    new: StrPath | None = None,
    *,
    host: str | None = None,
    from_: str | None = None,
    to: str | None = None,
    agents: Iterable[str] = (),
    dialect: Dialect | None = None,
    urls: StrPath | None = None,
    progress: bool = True,
) -> dict[str, Any]:
    """What a change of a robots.txt means for each crawler; for a dataset, every change in it.

    >>> changed = robostat.diff("samples/robots/allow-all.txt", "samples/robots/disallow-all.txt")
    >>> changed["is_equal"], changed["comparisons"][0]["class"]
    (False, 'stricter')

    Args:
        old: the robots.txt before the change, or a dataset.
        new: the robots.txt after the change; without it, `old` is compared in RFC 9309 and
            `dialect`.
        host: compare two captures of this host in the dataset `old`.
        from_: the last answer of the host up to this date, such as ``2024-01`` [its first].
        to: the last answer of the host up to this date [its last].
        agents: compare for these crawlers alone [all].
        dialect: the dialect in which the files are compared [rfc9309].
        urls: a file of URLs to test too, one per line.
        progress: show the progress bar on standard error.

    Returns:
        The differences; for a whole dataset, the summary of the new table ``policy_diffs``.

    Raises:
        RobostatError: a file cannot be read, or the host has no capture.
    """
    words = options(
        host=host, to=to, agent=several("agents", agents), dialect=dialect, urls=urls
    ) + options(**{"from": from_})
    files = [old] if new is None else [old, new]
    return _json(["diff", *words, "--", *files], show_errors=progress)


def check(
    robots: StrPath | bytes | bytearray, agent: str, url: str, *, dialect: Dialect = "rfc9309"
) -> dict[str, Any]:
    """Whether an agent may fetch a URL, and which line decides.

    >>> verdict = robostat.check(b"User-agent: *\\nDisallow: /a", "GPTBot", "/a/b.html")
    >>> verdict["allowed"], verdict["line"], verdict["rule"]
    (False, 2, 'disallow: /a')

    Args:
        robots: the path of a robots.txt, or its content as bytes.
        agent: the crawler's product token.
        url: a path, or a URL, whose path and query count.
        dialect: the dialect that decides; ``all`` puts the verdict of each into ``verdicts``.

    Raises:
        RobostatError: the file cannot be read.
        ValueError: `robots` is the content as text.
    """
    content = bytes(robots) if isinstance(robots, (bytes, bytearray)) else None
    file = "-" if isinstance(robots, (bytes, bytearray)) else os.path.abspath(robots)
    if "\n" in file and not os.path.exists(file):
        raise ValueError("robots is a path, or content as bytes; encode the text: robots.encode()")
    words = options(agent=agent, url=url, dialect=dialect)
    return _json(["check", *words, "--", file], codes=(ALLOWED, DISALLOWED), stdin=content)


def verify(out: StrPath) -> dict[str, Any]:
    """Checks a dataset: ``ok``, the ``state``, and each of the ``checks`` with its problems.

    >>> robostat.verify("out/")["state"]
    'consistent'

    Raises:
        RobostatError: the dataset cannot be checked.
    """
    return _json(["verify", "--", out], codes=(CONSISTENT, DAMAGED))


def _json(arguments: list[StrPath], **settings: Any) -> dict[str, Any]:
    """What the program prints with `--json`."""
    command, *words = arguments
    settings = {"show_errors": False, **settings}
    printed: dict[str, Any] = json.loads(run([command, "--json", *words], **settings).stdout)
    return printed
