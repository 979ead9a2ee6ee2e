#!/usr/bin/env python3
"""Times parsing and queries on real files, and checks the limits that the package promises.

    timing.py FILES.jsonl [--n 2000] [--step 1]

Each line of FILES is an object with `body_base64`; `.zst` and `.gz` are read too; with --step, only
every STEP-th line. Each parser reads every file, then answers ten queries about each, in rounds
that alternate between the parsers; the best round counts. Times are processor time, which other
programs disturb less. Exits with 1 if a limit is missed.
"""

import argparse
import base64
import gzip
import importlib
import itertools
import json
import os
import subprocess
import sys
import time

from robots_dialects import Robots

PARSE_US, QUERY_US, IMPORT_MS, BOMB_SECONDS = 20, 0.3, 5, 1
AGENT = "ExampleBot"
URLS = [
    f"https://example.com{path}"
    for path in ("/", "/a", "/search?q=x", "/wp-admin/", "/about.html", "/products/1/reviews")
] + [f"https://example.com/category/{n}/page/{n}?sort=asc" for n in range(4)]


def bodies(path, n, step):
    """The first `n` bodies of 1 to 512,000 bytes, from every `step`-th line."""
    if path.endswith(".zst"):
        command = ["zstd", "-dc", "--long=27", path]
        lines = subprocess.Popen(command, stdout=subprocess.PIPE).stdout
    else:
        lines = gzip.open(path) if path.endswith(".gz") else open(path, "rb")
    lines = itertools.islice(lines, 0, None, step)
    decoded = (base64.b64decode(json.loads(line)["body_base64"]) for line in lines)
    return list(itertools.islice((body for body in decoded if 0 < len(body) <= 512_000), n))


def peers():
    """Each parser: how it parses a str, and how it answers (parsed, agent, url)."""
    found = {"robots_dialects": (Robots, lambda parsed, url: parsed.allowed(AGENT, url))}
    try:
        Protego = importlib.import_module("protego").Protego
        found["protego"] = (Protego.parse, lambda parsed, url: parsed.can_fetch(url, AGENT))
    except ImportError:
        print("protego is not installed: no comparison", file=sys.stderr)
    return found


def round_of(parse, answer, texts):
    """Microseconds to parse a file, and for a query."""
    start = time.process_time()
    parsed = [parse(text) for text in texts]
    middle = time.process_time()
    for each in parsed:
        for url in URLS:
            answer(each, url)
    end = time.process_time()
    n = len(texts)
    return (middle - start) * 1e6 / n, (end - middle) * 1e6 / n / len(URLS)


def import_ms():
    """Milliseconds to import the package in a new interpreter, by -X importtime; the best of
    five."""
    command = [sys.executable, "-I", "-X", "importtime", "-c", "import robots_dialects"]
    times = []
    for _ in range(5):
        errors = subprocess.run(command, capture_output=True, text=True, check=True).stderr
        times.append(int(errors.splitlines()[-1].split("|")[1]) / 1000)
    return min(times)


def bomb_seconds():
    """Seconds to parse and query 500 KiB of patterns that make a backtracking matcher explode."""
    rule = "Disallow: /" + "*a" * 500 + "b\n"
    body = "User-agent: *\n" + rule * (512_000 // len(rule) - 1)
    start = time.perf_counter()
    assert Robots(body).allowed(AGENT, "/" + "a" * 2_000)
    return time.perf_counter() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files")
    parser.add_argument("--n", type=int, default=2000)
    parser.add_argument("--step", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    files = bodies(arguments.files, arguments.n, arguments.step)
    texts = [body.decode("utf-8", "replace") for body in files]
    mean = sum(map(len, files)) // len(files)
    print(f"{len(texts)} files, {mean} bytes on average, {os.cpu_count()} processors, Python {sys.version.split()[0]}")
    rounds = {name: [] for name in peers()}
    for _ in range(arguments.rounds):
        for name, (parse, answer) in peers().items():
            rounds[name].append(round_of(parse, answer, texts))
    for name, measured in rounds.items():
        parse, query = map(min, zip(*measured))
        print(f"{name:16} parse {parse:8.2f} us, query {query:7.3f} us")
        if name == "robots_dialects":
            own = parse, query
    limits = [
        ("parse", own[0], PARSE_US, "us"),
        ("query", own[1], QUERY_US, "us"),
        ("import", import_ms(), IMPORT_MS, "ms"),
        ("pattern bomb of 500 KiB", bomb_seconds(), BOMB_SECONDS, "s"),
    ]
    for name, value, limit, unit in limits:
        print(f"{'ok' if value <= limit else 'MISSED'}: {name} {value:.3f} {unit} (limit {limit} {unit})")
    return any(value > limit for _, value, limit, _ in limits)


if __name__ == "__main__":
    sys.exit(main())
