#!/usr/bin/env python3
"""Races robostat against its peers and itself, whole processes side by side, and prints the table of ratios.

    python3 benches/race.py                                   # makes its crawls with tools/make_crawl.py
    python3 benches/race.py gzip=a.warc.gz zstd=b.warc.zst    # any of gzip, zstd, dict, plain, mixed, pages, month, long

Every number is the median of at least five runs; the contestants of a row take turns, so that other work of the
machine affects all alike. Each ingest writes every table, durably, into a fresh directory. Peers that are not installed
are left out: `pip install fastwarc protego pyarrow zstandard resiliparse lxml`.

Roles: gzip, zstd, dict, plain: one crawl of robots.txt captures in four packings (20,000 captures); mixed: gzip with
three pages per capture; pages: plain WARC with three pages per capture; month: gzip, the bodies of gzip under new dates;
long: gzip, ten times as many captures; huge: gzip, 200,000 captures, for memory.
"""
import argparse
import importlib.util
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
PROJECT = HERE.parent
MADE = {
    "gzip": ("crawl.warc.gz", ["--captures", "20000"]),
    "zstd": ("crawl.warc.zst", ["--captures", "20000"]),
    "dict": ("crawl-dict.warc.zst", ["--captures", "20000", "--dictionary"]),
    "plain": ("crawl.warc", ["--captures", "20000"]),
    "mixed": ("mixed.warc.gz", ["--captures", "5000", "--pages", "3"]),
    "pages": ("pages.warc", ["--captures", "5000", "--pages", "3"]),
    "month": ("month.warc.gz", ["--captures", "20000", "--crawl", "NEXT-2026-40"]),
    "long": ("long.warc.gz", ["--captures", "200000"]),
}
PEERS = {
    "fastwarc": ["fastwarc_walk.py"],
    "protego": ["fastwarc_protego_pyarrow.py"],
    "resiliparse": ["fastwarc_metas.py", "resiliparse"],
    "lxml": ["fastwarc_metas.py", "lxml"],
}
# The most that robostat may take, as a multiple of what the peer takes: the aims in README.md.
LIMITS = {"gzip": 0.5, "zstd": 0.15, "dict": 0.1, "mixed": 1 / 3, "pages": 0.1}


class Run:
    """A process's wall time, processor time (seconds) and peak memory (MiB)."""

    def __init__(self, command):
        begun = time.perf_counter()
        with open(os.devnull, "wb") as nowhere:
            process = subprocess.Popen(command, stdout=nowhere, stderr=nowhere)
            _, status, usage = os.wait4(process.pid, 0)
        self.wall = time.perf_counter() - begun
        self.cpu = usage.ru_utime + usage.ru_stime
        self.memory = usage.ru_maxrss / 1024
        self.code = os.waitstatus_to_exitcode(status)
        if self.code not in (0, 3):  # 3: complete, but something in the input is damaged
            sys.exit(f"race: {' '.join(map(str, command))} ended with {self.code}")


class Race:
    def __init__(self, robostat, runs, folder):
        self.robostat, self.runs, self.folder = robostat, max(runs, 5), folder

    def ingest(self, *inputs, jobs=None, out=None, keep=False, options=()):
        out = out or self.folder / "out"
        if not keep:
            shutil.rmtree(out, ignore_errors=True)
        options = [*options, *(["--jobs", str(jobs)] if jobs else [])]
        return Run([self.robostat, "ingest", "--quiet", *options, *inputs, out])

    def peer(self, name, path):
        script, *more = PEERS[name]
        return Run([sys.executable, HERE / "peers" / script, path, self.folder / "peer", *more])

    def turns(self, *contestants):
        """Runs the contestants alternately; returns the medians of each."""
        results = [[] for _ in contestants]
        for contestant in contestants:
            contestant()  # the files are in memory from here on
        for _ in range(self.runs):
            for result, contestant in zip(results, contestants):
                result.append(contestant())
        return [Medians(result) for result in results]


class Medians:
    def __init__(self, runs):
        for name in ("wall", "cpu", "memory"):
            setattr(self, name, statistics.median(getattr(run, name) for run in runs))


def make(role, folder):
    name, arguments = MADE[role]
    path = folder / name
    if not path.exists():
        subprocess.run(
            [sys.executable, PROJECT / "tools" / "make_crawl.py", *arguments, path],
            check=True, stdout=subprocess.DEVNULL)
    return path


def row(what, value, limit=None, unit=""):
    verdict = "" if limit is None else ("reached" if value <= limit else "not reached")
    aim = "" if limit is None else f"<= {limit:.3g}{unit}"
    print(f"| {what} | {value:.3g}{unit} | {aim} | {verdict} |", flush=True)


def size_of(folder):
    return sum(path.stat().st_size for path in folder.rglob("*.parquet"))


def body_stream(path):
    """Bytes of all robots.txt bodies of a gzip crawl in one zstd stream, level 3."""
    import zstandard
    from fastwarc.warc import ArchiveIterator, WarcRecordType

    class Counter:
        bytes = 0

        def write(self, data):
            self.bytes += len(data)
            return len(data)

    counter = Counter()
    with open(path, "rb") as stream, zstandard.ZstdCompressor(level=3).stream_writer(counter) as writer:
        for record in ArchiveIterator(stream, record_types=WarcRecordType.response, parse_http=True):
            writer.write(record.reader.read())
    return counter.bytes


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("inputs", nargs="*", metavar="ROLE=PATH", help="archives to race on; the rest is made")
    parser.add_argument("--only", action="store_true", help="make no archives: race only on those given")
    parser.add_argument("--robostat", type=pathlib.Path, help="the program (default: a release build of this project)")
    parser.add_argument("--runs", type=int, default=5, help="runs per median, at least 5")
    parser.add_argument("--folder", type=pathlib.Path, help="where made archives are kept (default: removed at the end)")
    arguments = parser.parse_args()
    robostat = arguments.robostat
    if robostat is None:
        subprocess.run(["cargo", "build", "--quiet", "--release", "--locked"], cwd=PROJECT, check=True)
        target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", PROJECT / "target"))
        robostat = target / "release" / "robostat"
    with tempfile.TemporaryDirectory() as scratch:
        folder = arguments.folder or pathlib.Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        given = {role: pathlib.Path(path) for role, _, path in (each.partition("=") for each in arguments.inputs)}
        paths = given if arguments.only else {role: given.get(role) or make(role, folder) for role in MADE} | given
        race = Race(robostat, arguments.runs, pathlib.Path(scratch))
        run(race, paths)


def run(race, paths):
    has = {name: importlib.util.find_spec(name) is not None for name in
           ("fastwarc", "protego", "pyarrow", "zstandard", "resiliparse", "lxml")}
    print(f"{os.cpu_count()} cores; medians of {race.runs} alternate runs\n")
    print("| what | measured | aim | |\n|---|---|---|---|")
    for role in ("gzip", "zstd", "dict", "plain", "mixed", "pages"):
        if role in paths and has["fastwarc"]:
            path = paths[role]
            ours, walk = race.turns(lambda: race.ingest(path), lambda: race.peer("fastwarc", path))
            row(f"{role}: wall, ingest {ours.wall:.3f} s of FastWARC's walk {walk.wall:.3f} s", ours.wall / walk.wall, LIMITS.get(role))
            if role in ("gzip", "zstd"):
                row(f"{role}: processor time, {ours.cpu:.3f} s of {walk.cpu:.3f} s", ours.cpu / walk.cpu, {"gzip": 1, "zstd": 1 / 3}[role])
    if "mixed" in paths and has["fastwarc"]:
        path = paths["mixed"]
        ours, walk = race.turns(lambda: race.ingest(path, options=["--pages"]), lambda: race.peer("fastwarc", path))
        row(f"mixed: wall, ingest --pages {ours.wall:.3f} s of FastWARC's walk {walk.wall:.3f} s", ours.wall / walk.wall, 1.5)
        for parser in ("resiliparse", "lxml"):
            if has[parser]:
                script, = race.turns(lambda parser=parser: race.peer(parser, path))
                row(f"mixed: wall, ingest --pages of FastWARC + {parser} {script.wall:.2f} s", ours.wall / script.wall, 1 / 3)
    if "gzip" in paths:
        path = paths["gzip"]
        if has["fastwarc"] and has["protego"] and has["pyarrow"]:
            ours, script = race.turns(lambda: race.ingest(path), lambda: race.peer("protego", path))
            row(f"gzip: wall, ingest of FastWARC + Protego + PyArrow {script.wall:.2f} s", ours.wall / script.wall, 1 / 15)
        race.ingest(path)
        tables = size_of(race.folder / "out")
        if has["fastwarc"] and has["zstandard"]:
            bodies = body_stream(path)
            row(f"gzip: all tables {tables:,} bytes, of the bodies in one zstd stream {bodies:,}", tables / bodies, 1)
        if "month" in paths:
            def second():
                race.ingest(path)
                return race.ingest(paths["month"], keep=True)
            first, again = race.turns(lambda: race.ingest(path), second)
            row("month: the same bodies under new dates, wall, of the first", again.wall / first.wall, 0.6)
    if "long" in paths:
        path = paths["long"]
        one, two = race.turns(lambda: race.ingest(path, jobs=1), lambda: race.ingest(path, jobs=2))
        row(f"long: two jobs {two.wall:.2f} s, of one job {one.wall:.2f} s", two.wall / one.wall, 1 / 1.8)
        row("long: peak memory", two.memory, 400, " MiB")
        if "gzip" in paths:
            short, long = race.turns(lambda: race.ingest(paths["gzip"]), lambda: race.ingest(path))
            row("long: wall, times that of gzip (ten times the captures)", long.wall / short.wall, 10.5)
            row("long: memory above gzip's", long.memory - short.memory, None, " MiB")
    if "huge" in paths:
        row("huge: peak memory", race.ingest(paths["huge"]).memory, 400, " MiB")
    small = PROJECT / "samples" / "robots" / "allow-all.txt"
    help_, check = race.turns(
        lambda: Run([race.robostat, "--help"]),
        lambda: Run([race.robostat, "check", small, "--agent", "ExampleBot", "--url", "/"]),
    )
    row("--help, wall", help_.wall * 1000, 10, " ms")
    row("check of a small file, wall", check.wall * 1000, 10, " ms")


if __name__ == "__main__":
    main()
