"""Builds the wheel with maturin, and adds the manual and the shell completions.

Both come from the program itself (`robostat man`, `robostat completions`), so the program is built
first; maturin then finds it built. The files in `robostat.data` are installed into the prefix of
the environment.

ROBOSTAT_PROFILE is the Cargo profile, by default `release`.
"""

import json
import os
import shutil
import subprocess
from pathlib import Path

import maturin
from maturin import *  # noqa: F403  (the hooks of PEP 517 and PEP 660 that are not below)

PROJECT = Path(__file__).resolve().parent.parent
DATA = PROJECT / "robostat.data"
PROFILE = os.environ.get("ROBOSTAT_PROFILE", "release")
COMPLETIONS = {
    "bash": "share/bash-completion/completions/robostat",
    "zsh": "share/zsh/site-functions/_robostat",
    "fish": "share/fish/vendor_completions.d/robostat.fish",
}


def build_program():
    """Builds the program for this machine and returns its path."""
    cargo = os.environ.get("CARGO", "cargo")
    command = [cargo, "build", "--profile", PROFILE, "--locked", "--bin", "robostat"]
    subprocess.run(command, cwd=PROJECT, check=True)
    described = subprocess.run(
        [cargo, "metadata", "--format-version", "1", "--no-deps", "--offline"],
        cwd=PROJECT,
        check=True,
        stdout=subprocess.PIPE,
    )
    target = Path(json.loads(described.stdout)["target_directory"])
    return target / ("debug" if PROFILE == "dev" else PROFILE) / "robostat"


def add_data(program):
    """Writes the files of the wheel other than the program and the package."""
    shutil.rmtree(DATA, ignore_errors=True)
    data = DATA / "data"
    subprocess.run([program, "man", "--output", data / "share/man/man1"], check=True)
    for shell, place in COMPLETIONS.items():
        path = data / place
        path.parent.mkdir(parents=True)
        script = subprocess.run([program, "completions", shell], check=True, stdout=subprocess.PIPE)
        path.write_bytes(script.stdout)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    add_data(build_program())
    settings = {"maturin.build-args": f"--profile {PROFILE}", **(config_settings or {})}
    try:
        return maturin.build_wheel(wheel_directory, settings, metadata_directory)
    finally:
        shutil.rmtree(DATA)


if __name__ == "__main__":
    # For scripts/wheels, which calls maturin itself.
    add_data(build_program())
