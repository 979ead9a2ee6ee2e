"""A git repository of robots.txt files, whose commits are dates: one dataset per month.

    python git_history.py REPOSITORY DATASETS
    python git_history.py --by year --folder sites REPOSITORY DATASETS
    python git_history.py REPOSITORY DATASETS -- --name-pattern '{host}/{*}.txt'

A month has the files as its last commit left them, and the time of that commit. A month without a
commit, or without the folder in its last commit, has no dataset. The branch is followed by first
parents, in the order of its commits; a commit that is dated before its predecessor is skipped. A
month that has a dataset is skipped, so the same command continues: remove the dataset of the last
month if commits were added to it.

Needs git and robostat on the PATH. Options after `--` are those of `robostat ingest`. Then:

    robostat query DATASETS/* panel-over-time
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

LABELS = {"day": "%Y-%m-%d", "month": "%Y-%m", "year": "%Y"}


def last_commits(repository: Path, branch: str, folder: str, by: str) -> dict[str, str]:
    """The last commit of each month, or day or year, from the first on."""
    log = ["git", "-C", str(repository), "log", "--first-parent", "--reverse", "--format=%H %cd"]
    log += [f"--date=format-local:{LABELS[by]}", branch, "--", folder]
    utc = {**os.environ, "TZ": "UTC0"}
    printed = subprocess.run(log, check=True, stdout=subprocess.PIPE, text=True, env=utc).stdout
    commits: dict[str, str] = {}
    for line in printed.splitlines():
        commit, label = line.split(" ")
        if label >= max(commits, default=""):
            commits[label] = commit
    return commits


def has_files(repository: Path, commit: str, folder: str) -> bool:
    """Whether the commit has files in the folder, which may be a pattern, as in last_commits."""
    git = ["git", "-C", str(repository)]
    empty = [*git, "hash-object", "-t", "tree", "--stdin"]
    tree = subprocess.run(empty, check=True, input="", stdout=subprocess.PIPE, text=True).stdout
    # ls-tree takes no patterns. Exit code 1: the commit differs from an empty tree.
    difference = [*git, "diff-tree", "-r", "--quiet", tree.strip(), commit, "--", folder]
    done = subprocess.run(difference)
    if done.returncode not in (0, 1):
        done.check_returncode()
    return done.returncode == 1


def ingest(arguments: argparse.Namespace, label: str, commit: str, options: list[str]) -> int:
    """Ingests the files of a commit; returns robostat's exit code."""
    with tempfile.TemporaryDirectory() as folder:
        tar = Path(folder) / f"{label}-{commit}.tar"
        # git gives the files in the archive the time of the commit.
        archive = ["git", "-C", str(arguments.repository), "archive", f"--output={tar}"]
        subprocess.run([*archive, commit, "--", arguments.folder], check=True)
        command = ["robostat", "ingest", "--crawl", label, *options]
        return subprocess.run([*command, str(tar), str(arguments.datasets / label)]).returncode


def main() -> int:
    words = sys.argv[1:]
    place = words.index("--") if "--" in words else len(words)
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("repository", type=Path)
    parser.add_argument("datasets", type=Path, help="gets a dataset for each month")
    parser.add_argument("--by", choices=LABELS, default="month")
    parser.add_argument("--branch", default="HEAD", help="a branch or a commit")
    parser.add_argument("--folder", default=".", help="where the files are, or a git pathspec")
    arguments = parser.parse_args(words[:place])
    commits = last_commits(arguments.repository, arguments.branch, arguments.folder, arguments.by)
    if not commits:
        parser.error(f"{arguments.repository}: no commit changes {arguments.folder}")
    arguments.datasets.mkdir(parents=True, exist_ok=True)
    worst = 0
    for label, commit in commits.items():
        if (arguments.datasets / label / "manifest").is_dir():
            continue
        if not has_files(arguments.repository, commit, arguments.folder):
            print(f"{label}: commit {commit[:12]} has no {arguments.folder}", file=sys.stderr)
            continue
        print(f"{label}: commit {commit[:12]}", file=sys.stderr)
        code = ingest(arguments, label, commit, words[place + 1 :])
        if code not in (0, 3):
            return code
        worst = max(worst, code)
    return worst


if __name__ == "__main__":
    sys.exit(main())
