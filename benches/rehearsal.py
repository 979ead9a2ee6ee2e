#!/usr/bin/env python3
"""Rehearses the use of robostat at growing scale, on made-up crawls of several months, and prints what each step
costs: wall and processor time, peak memory, bytes and parts, and how each grows.

    python3 benches/rehearsal.py                                # 20,000, 200,000 and 2,000,000 captures
    python3 benches/rehearsal.py --scales 20000,2000000,8000000 --folder /data/rehearsal --markdown table.md

A scale is a dataset of this many captures, made of --months crawls of one web; each crawl is many small archives
and is ingested by its own run. Then, in this order: an ingest that finds nothing new, every shipped query, the report,
a look-up of one host, a verification, a compaction, and look-up and verification again.

The measurements are in rehearsal.json in the folder. An interrupted rehearsal continues with the interrupted step; a
scale that is complete is not measured again, and its files are removed unless --keep is given. So further scales can
be added later: the tables cover all complete scales.

Each step is one process, measured once (queries and look-ups: the median of --runs), with the files that it reads in
the cache of the operating system as far as they fit. Peak memory is the largest process's, DuckDB included.
"""
import argparse
import gzip
import json
import math
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import threading
import time

PROJECT = pathlib.Path(__file__).resolve().parent.parent
FIRST_CRAWL = "MADE-UP-2026-05"
# The extrapolation is to the captures of a month and of ten years of Common Crawl, with this many cores.
MONTH, DECADE, CORES = 74_000_000, 5_000_000_000, 16
STEPS = {
    "generate": "make the archives",
    "ingest": "ingest, month by month",
    "known": "ingest again: nothing is new",
    "report": "report",
    "history": "look-up of a host",
    "verify": "verify",
    "compact": "compact",
    "history, compacted": "look-up, compacted",
    "verify, compacted": "verify, compacted",
}


class Rehearsal:
    def __init__(self, arguments):
        self.folder, self.robostat = arguments.folder, arguments.robostat
        self.months, self.split, self.runs = arguments.months, arguments.split_size, arguments.runs
        self.limit, self.keep = arguments.limit, arguments.keep
        self.queries = arguments.queries or sorted(path.stem for path in (PROJECT / "queries").glob("*/*.sql")
            if path.parent.name != "portable")
        self.state_path = self.folder / "rehearsal.json"
        self.state = json.loads(self.state_path.read_text()) if self.state_path.exists() else {}

    def save(self):
        beside = self.state_path.with_suffix(".new")
        beside.write_text(json.dumps(self.state, indent=1))
        beside.replace(self.state_path)

    def run(self, scale):
        """Runs the steps of a scale that are not done."""
        results = self.state.setdefault(str(scale), {})
        if results.get("complete"):
            return
        place = self.folder / str(scale)
        crawls, out = place / "crawls", place / "out"
        place.mkdir(parents=True, exist_ok=True)
        # Measurements refer to files; without the files they have to be repeated.
        if results and not (crawls.exists() and out.exists()):
            results.clear()
        self.archives(results, scale, crawls)
        labels = sorted(path for path in crawls.iterdir())
        for label in labels:
            # An interrupted run left its commits: the month is ingested again.
            if f"ingest {label.name}" not in results and not results.get("ingested"):
                if label == labels[0]:
                    shutil.rmtree(out, ignore_errors=True)
                self.measure(results, f"ingest {label.name}", ["ingest", "--quiet", label, out])
        if not results.get("ingested"):
            months = [results[f"ingest {label.name}"] for label in labels]
            results["ingest"] = {
                "wall": sum(month["wall"] for month in months),
                "cpu": sum(month["cpu"] for month in months),
                "memory": max(month["memory"] for month in months),
                "of_it_last": months[-1]["wall"],
            }
            results["tables"] = tables_of(out)
            results["ingested"] = True
            self.save()
        self.measure(results, "known", ["ingest", "--quiet", crawls, out])
        for query in self.queries:
            self.measure(results, f"query {query}", ["query", out, query, "--format", "csv"], self.runs)
        page = place / "report.html"
        self.measure(results, "report", ["report", out, "-o", page])
        host = first_host(labels[0])
        self.measure(results, "history", ["history", out, host], self.runs)
        self.measure(results, "verify", ["verify", "--quiet", out])
        self.measure(results, "compact", ["compact", "--quiet", out])
        results.setdefault("tables, compacted", tables_of(out))
        self.measure(results, "history, compacted", ["history", out, host], self.runs)
        self.measure(results, "verify, compacted", ["verify", "--quiet", out])
        results["complete"] = True
        self.save()
        if not self.keep:
            shutil.rmtree(place)

    def archives(self, results, scale, crawls):
        if "generate" in results:
            return
        shutil.rmtree(crawls, ignore_errors=True)
        self.measure(results, "generate", [
            PROJECT / "tools" / "make_crawl.py", "--captures", scale // self.months, "--months", self.months, "--crawl", FIRST_CRAWL,
            "--split-size", self.split, crawls,
        ], program=sys.executable)
        results["archives"] = size_of(crawls, "*.warc.gz")
        self.save()

    def measure(self, results, step, command, runs=1, program=None):
        """Runs a command, unless its step is done, and records its cost."""
        if step in results:
            return
        taken = []
        for _ in range(runs):
            taken.append(process([program or self.robostat, *command], self.limit))
            if taken[-1].get("failed"):
                break
        failed = next((run["failed"] for run in taken if "failed" in run), None)
        results[step] = {name: statistics.median(run[name] for run in taken) for name in ("wall", "cpu", "memory")}
        if failed:
            results[step]["failed"] = failed
            if step == "generate" or step.startswith("ingest"):
                sys.exit(f"rehearsal: {step}: {failed}")
        self.save()
        print(f"{step}: {results[step]['wall']:.2f} s{', ' + failed if failed else ''}", file=sys.stderr, flush=True)


def process(command, limit):
    """Runs a process; its wall and processor time in seconds, and its peak memory in MiB."""
    begun = time.perf_counter()
    with open(os.devnull, "wb") as nowhere, open(os.devnull, "rb") as nothing:
        child = subprocess.Popen(
            [str(word) for word in command], stdin=nothing, stdout=nowhere, stderr=subprocess.PIPE, process_group=0)
        errors = []
        reader = threading.Thread(target=lambda: errors.append(child.stderr.read()))
        reader.start()
        alarm = threading.Timer(limit, lambda: os.killpg(child.pid, 9))
        alarm.start()
        _, status, usage = os.wait4(child.pid, 0)
        wall = time.perf_counter() - begun
        alarm.cancel()
        reader.join()
    child.returncode = os.waitstatus_to_exitcode(status)
    taken = {"wall": wall, "cpu": usage.ru_utime + usage.ru_stime, "memory": usage.ru_maxrss / 1024}
    if child.returncode == -9 and wall >= limit:
        taken["failed"] = f"stopped after {limit:.0f} s"
    elif child.returncode not in (0, 3):  # 3: complete, but something in the input is damaged
        words = b"".join(errors).decode(errors="replace").strip().splitlines()
        taken["failed"] = words[0][:120] if words else f"ended with {child.returncode}"
    return taken


def size_of(folder, pattern):
    sizes = [path.stat().st_size for path in folder.rglob(pattern)]
    return {"files": len(sizes), "bytes": sum(sizes)}


def tables_of(out):
    """Parts and bytes of each table."""
    tables = {path.name: size_of(path, "*.parquet") for path in sorted(out.iterdir()) if path.is_dir()}
    return {name: size for name, size in tables.items() if size["files"]}


class Tables:
    """Formats the measurements for printing."""

    def __init__(self, state):
        self.scales = sorted(int(scale) for scale, results in state.items() if results.get("complete"))
        self.results = {scale: state[str(scale)] for scale in self.scales}
        self.lines = []

    def row(self, *cells):
        self.lines.append("| " + " | ".join(cells) + " |")

    def head(self, first, *more):
        columns = [f"{scale:,}" for scale in self.scales]
        self.row(first, *columns, *more)
        self.lines.append("|---|" + "--:|" * (len(columns) + len(more)))

    def markdown(self):
        if not self.scales:
            return "no scale is complete\n"
        self.head("wall time; processor time; peak memory, by captures", "growth")
        for step, name in STEPS.items():
            taken = [self.results[scale].get(step) for scale in self.scales]
            self.row(name, *map(cell, taken), growth(self.scales, taken))
        self.of_queries()
        self.lines.append("")
        self.head("bytes and files, by captures", "growth")
        self.sizes("archives", lambda results: results["archives"])
        for when, name in (("tables", "all tables"), ("tables, compacted", "all tables, compacted")):
            self.sizes(name, lambda results: {
                key: sum(table[key] for table in results[when].values()) for key in ("files", "bytes")})
        derived = ("hosts", "origins", "resolved")
        self.sizes("of them derived", lambda results: {
            key: sum(results["tables"].get(table, {key: 0})[key] for table in derived) for key in ("files", "bytes")})
        self.extrapolation()
        return "\n".join(self.lines) + "\n"

    def queries(self):
        names = {step for results in self.results.values() for step in results if step.startswith("query ")}
        return sorted(names)

    def of_queries(self):
        taken = [[self.results[scale][query] for query in self.queries()
                  if query in self.results[scale] and "failed" not in self.results[scale][query]]
                 for scale in self.scales]
        middles = [{key: statistics.median(run[key] for run in runs) for key in ("wall", "cpu", "memory")}
                   for runs in taken]
        largest = [{key: max(run[key] for run in runs) for key in ("wall", "cpu", "memory")} for runs in taken]
        count = len(self.queries())
        self.row(f"median of {count} queries", *map(cell, middles), growth(self.scales, middles))
        self.row("the largest of any query", *map(cell, largest), growth(self.scales, largest))
        self.row("queries over 0.2 s; 1 s; 1 GB", *(
            "; ".join(str(sum(run[key] > limit for run in runs))
                      for key, limit in (("wall", 0.2), ("wall", 1), ("memory", 1024))) for runs in taken), "")
        self.row("queries that failed", *(
            str(sum("failed" in self.results[scale].get(query, {}) for query in self.queries()))
            for scale in self.scales), "")
        last = self.results[self.scales[-1]]
        slowest = sorted(self.queries(), key=lambda query: -last.get(query, {"wall": 0})["wall"])
        self.lines.append("")
        self.head("the slowest queries", "growth")
        for query in slowest[:10]:
            runs = [self.results[scale].get(query) for scale in self.scales]
            self.row(f"`{query.removeprefix('query ')}`", *map(cell, runs), growth(self.scales, runs))

    def sizes(self, name, size):
        sizes = [size(self.results[scale]) for scale in self.scales]
        shown = [f"{each['bytes'] / 1e6:,.1f} MB; {each['files']:,}" for each in sizes]
        self.row(name, *shown, exponent(self.scales, [each["bytes"] for each in sizes]))

    def extrapolation(self):
        """The last two scales as a straight line, extended to far more captures."""
        if len(self.scales) < 2:
            return
        less, more = self.scales[-2:]
        cores = os.cpu_count()
        self.lines += ["", f"Extrapolation, not measured: the straight line through {less:,} and {more:,} captures. "
                           f"The processor time of an ingest is divided evenly by {CORES} cores; all other wall times "
                           f"assume {cores} cores, as if more did not help.", ""]
        self.row("", f"a month ({MONTH:,})", f"ten years ({DECADE:,})")
        self.lines.append("|---|--:|--:|")
        for step in ("ingest", "report", "verify", "compact"):
            key, share = ("cpu", CORES) if step == "ingest" else ("wall", 1)
            self.far(STEPS[step], step, key, share, with_memory=step == "report")
        for query in sorted(self.queries(), key=lambda query: -self.results[more].get(query, {"wall": 0})["wall"])[:1]:
            self.far("the slowest query", query, "wall", 1, with_memory=True)
        middles = {scale: {key: statistics.median(self.results[scale][query][key] for query in self.queries()
                                                  if query in self.results[scale]) for key in ("wall", "memory")}
                   for scale in (less, more)} if self.queries() else None
        if middles:
            self.row("the median query", *(amount(middles, less, more, captures) for captures in (MONTH, DECADE)))
        bytes_ = {scale: sum(table["bytes"] for table in self.results[scale]["tables, compacted"].values())
                  for scale in (less, more)}
        self.row("all tables, compacted", *(
            f"{line(less, more, bytes_[less], bytes_[more], captures) / 1e9:,.0f} GB" for captures in (MONTH, DECADE)))

    def far(self, name, step, key, share, with_memory):
        """A step far beyond the measurements, with its memory if that is unbounded."""
        less, more = self.scales[-2:]
        runs = {scale: self.results[scale].get(step) for scale in (less, more)}
        if any(run is None or "failed" in run for run in runs.values()):
            return
        runs = {scale: {"wall": run[key] / share, "memory": run["memory"]} for scale, run in runs.items()}
        amounts = [amount(runs, less, more, captures) for captures in (MONTH, DECADE)]
        self.row(name, *(text if with_memory else text.split(";")[0] for text in amounts))


def line(less, more, low, high, captures):
    """The value at `captures` of the straight line through two points."""
    return max(low, high) if high <= low else low + (high - low) * (captures - less) / (more - less)


def amount(runs, less, more, captures):
    seconds = line(less, more, runs[less]["wall"], runs[more]["wall"], captures)
    memory = line(less, more, runs[less]["memory"], runs[more]["memory"], captures)
    return f"{duration(seconds)}; {memory / 1024:,.1f} GiB"


def duration(seconds):
    for limit, unit, name in ((120, 1, "s"), (7_200, 60, "min"), (172_800, 3_600, "h")):
        if seconds < limit:
            return f"{seconds / unit:.3g} {name}"
    return f"{seconds / 86_400:.3g} days"


def cell(run):
    if run is None:
        return ""
    if "failed" in run:
        return run["failed"].replace("|", "\\|")
    return f"{run['wall']:.3g} s; {run['cpu']:.3g} s; {run['memory']:,.0f} MiB"


def growth(scales, runs):
    """How wall time and memory grow from the last scale but one to the last: 1 is in proportion to the captures."""
    if len(runs) < 2 or any(run is None or "failed" in run for run in runs[-2:]):
        return ""
    return "; ".join(exponent(scales, [run[key] for run in runs[-2:]]) for key in ("wall", "cpu", "memory"))


def exponent(scales, values):
    if len(values) < 2 or min(values[-2:]) <= 0:
        return ""
    return f"{math.log(values[-1] / values[-2]) / math.log(scales[-1] / scales[-2]):.2f}"


def first_host(crawl):
    """The host of the first capture of a crawl."""
    archive = min(crawl.rglob("*.warc.gz"))
    with gzip.open(archive, "rt", encoding="latin-1") as lines:
        return next(line for line in lines if line.startswith("WARC-Target-URI: ")).split("/")[2]


def built_robostat():
    """A release build of this project's program."""
    subprocess.run(["cargo", "build", "--quiet", "--release", "--locked", "--bin", "robostat"], cwd=PROJECT, check=True)
    metadata = subprocess.run(
        ["cargo", "metadata", "--format-version", "1", "--no-deps"], cwd=PROJECT, check=True, capture_output=True)
    return pathlib.Path(json.loads(metadata.stdout)["target_directory"]) / "release" / "robostat"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scales", default="20000,200000,2000000", help="captures of each dataset, with commas")
    parser.add_argument("--months", type=int, default=4, help="crawls that a dataset is made of")
    parser.add_argument("--split-size", type=int, default=1 << 20, help="bytes of an archive")
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path("rehearsal"), help="for archives, datasets and measurements; 2,000,000 captures take 5 GB")
    parser.add_argument("--runs", type=int, default=3, help="runs of each query and look-up")
    parser.add_argument("--limit", type=float, default=3600, help="seconds after which a step is stopped and counts as failed")
    parser.add_argument("--queries", nargs="*", help="only these queries")
    parser.add_argument("--keep", action="store_true", help="keep archives and datasets")
    parser.add_argument("--tables", action="store_true", help="measure nothing, print the tables")
    parser.add_argument("--markdown", type=pathlib.Path, help="write the tables to this file too")
    parser.add_argument("--robostat", type=pathlib.Path, help="the program (default: a release build of this project)")
    arguments = parser.parse_args()
    if not arguments.tables:
        arguments.robostat = (arguments.robostat or built_robostat()).resolve()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    rehearsal = Rehearsal(arguments)
    for scale in [] if arguments.tables else map(int, arguments.scales.split(",")):
        print(f"{scale:,} captures", file=sys.stderr)
        rehearsal.run(scale)
    tables = Tables(rehearsal.state).markdown()
    print(tables)
    if arguments.markdown:
        arguments.markdown.write_text(tables)


if __name__ == "__main__":
    main()
