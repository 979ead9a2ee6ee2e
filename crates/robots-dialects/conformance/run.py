#!/usr/bin/env python3
"""Asks a robots.txt parser the questions of cases.jsonl, and counts its right answers.

    python3 run.py urllib.robotparser --dialect google
    python3 run.py protego --failures
    python3 run.py my_module:allowed

`my_module:allowed` is a function `allowed(robots: bytes, agent: str, url: str) -> bool`. Exit code: 0
if every answer is right, else 1.
"""

import argparse
import base64
import importlib
import json
import sys
from collections import Counter
from pathlib import Path

CASES = Path(__file__).with_name("cases.jsonl")


def urllib_robotparser(robots, agent, url):
    """CPython's own parser, as its `read` decodes the file."""
    from urllib.robotparser import RobotFileParser

    parser = RobotFileParser()
    parser.parse(robots.decode("utf-8", "surrogateescape").splitlines())
    return parser.can_fetch(agent, url)


def protego(robots, agent, url):
    """Protego, the parser of Scrapy, as Scrapy decodes the file."""
    from protego import Protego

    return Protego.parse(robots.decode("utf-8", "ignore")).can_fetch(url, agent)


KNOWN = {"urllib.robotparser": urllib_robotparser, "protego": protego}


def load(name):
    """The function for a known parser, or `module:function`."""
    if name in KNOWN:
        return KNOWN[name]
    module, _, function = name.partition(":")
    sys.path.insert(0, "")
    return getattr(importlib.import_module(module), function)


def questions(dialect):
    """Clause, robots.txt, agent, path and answer of every case about a URL."""
    for line in CASES.read_text("utf-8").splitlines():
        case = json.loads(line)
        if case["dialect"] == dialect and "verdicts" in case:
            encoded = case.get("robots_base64")
            robots = base64.b64decode(encoded) if encoded else case["robots"].encode()
            for agent, path, allowed in case["verdicts"]:
                yield case["clause"], robots, agent, path, allowed


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("parser", help=f"{', '.join(KNOWN)}, or module:function")
    arguments.add_argument("--dialect", default="rfc9309", help="[default: rfc9309]")
    arguments.add_argument("--failures", action="store_true", help="print wrong answers")
    options = arguments.parse_args()
    allows = load(options.parser)
    counts = Counter()
    for clause, robots, agent, path, allowed in questions(options.dialect):
        try:
            answer = allows(robots, agent, f"https://example.org{path}")
        except Exception as error:  # a wrong answer like any other
            answer = repr(error)
        counts[answer is allowed] += 1
        if options.failures and answer is not allowed:
            print(f"{clause}\n  {robots!r}\n  {agent} {path}: {answer}, should be {allowed}")
    if not counts:
        sys.exit(f"no cases of the dialect {options.dialect!r}")
    print(f"{options.parser}: {counts[True]} of {counts.total()} right by {options.dialect}")
    sys.exit(counts[False] > 0)


if __name__ == "__main__":
    main()
