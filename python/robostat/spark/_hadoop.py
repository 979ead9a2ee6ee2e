"""Files as executors find them: on local or shared disks, or in one of Hadoop's file systems.

A URI without a scheme, or with `file:`, is a path on this machine. Everything else (`hdfs:`,
`s3a:`, `gs:`, `abfs:`, `viewfs:`) is in one of Hadoop's file systems. Python workers cannot call
Java: they run Hadoop's shell, which takes about a second to start.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit
from xml.sax.saxutils import escape

from robostat._program import MAX_ARGUMENT_BYTES


def local_path(uri: str) -> str | None:
    """The local path for `uri`, if it is local."""
    parts = urlsplit(uri)
    if parts.scheme == "file":
        return unquote(parts.path)
    # A path may hold a colon; a scheme is followed by a slash.
    return uri if not parts.scheme or "/" not in uri.split(":", 1)[1][:1] else None


def absolute(place: str | os.PathLike[str]) -> str:
    """The place for executors, whose working directory differs; a local place as an absolute
    path."""
    uri = os.fspath(place)
    local = local_path(uri)
    return uri if local is None else os.path.abspath(local)


def join(uri: str, *names: str) -> str:
    """The path or URI of `names` below `uri`."""
    return "/".join([uri.rstrip("/"), *names])


@dataclass(frozen=True)
class Shell:
    """Hadoop's shell, with the settings that Spark gives to Hadoop (`spark.hadoop.*`)."""

    settings: Mapping[str, str]

    def get(self, sources: Sequence[str], directory: Path, scratch: Path) -> None:
        """Copies files into a directory of this machine."""
        for some in _groups(sources):
            self._run(["-get", *some, str(directory)], scratch)

    def make(self, directory: str, scratch: Path) -> None:
        """Makes a directory and its missing parents."""
        self._run(["-mkdir", "-p", directory], scratch)

    def put(self, sources: Sequence[Path], directory: str, scratch: Path) -> None:
        """Copies files and directories into an existing directory; an earlier attempt may have begun."""
        # -d: without temporary names, from which an object store would have to copy each file.
        self._run(["-put", "-d", "-f", *map(str, sources), directory], scratch)

    def _run(self, arguments: list[str], scratch: Path) -> None:
        # Settings hold secrets, which the list of processes must not show.
        configuration = scratch / "hadoop.xml"
        descriptor = os.open(
            configuration, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600
        )
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write("<configuration>\n")
            for name, value in self.settings.items():
                file.write(
                    f"<property><name>{escape(name)}</name>"
                    f"<value>{escape(value)}</value></property>\n"
                )
            file.write("</configuration>\n")
        command = [*_program(scratch), "-conf", str(configuration), *arguments]
        process = subprocess.run(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, encoding="utf-8"
        )
        if process.returncode != 0:
            said = (process.stderr or "").splitlines()
            # Leaves out where in Hadoop the message came from.
            said = [line for line in said if not line.startswith(("WARNING:", "\t"))]
            words = " ".join(arguments)
            words = words if len(words) < 500 else f"{words[:500]} …"
            raise OSError(f"hadoop fs {words}: {' '.join(said[-3:])}")


def _groups(sources: Sequence[str]) -> Iterator[list[str]]:
    """The sources in groups that fit into a command line."""
    group: list[str] = []
    length = 0
    for source in sources:
        length += len(os.fsencode(source))
        if group and length > MAX_ARGUMENT_BYTES:
            yield group
            group, length = [], len(os.fsencode(source))
        group.append(source)
    yield group


def _program(scratch: Path) -> list[str]:
    """Hadoop's own program, which knows the cluster, if it is installed; else Spark's jars."""
    hadoop = shutil.which("hadoop")
    if hadoop:
        return [hadoop, "fs"]
    home = os.environ.get("JAVA_HOME")
    java = os.path.join(home, "bin", "java") if home else "java"
    jars = [os.environ[name] for name in ("HADOOP_CONF_DIR",) if name in os.environ]
    if "SPARK_HOME" in os.environ:
        jars.append(os.path.join(os.environ["SPARK_HOME"], "jars", "*"))
    pyspark = sys.modules.get("pyspark")
    if pyspark is not None and pyspark.__file__:
        jars.append(os.path.join(os.path.dirname(pyspark.__file__), "jars", "*"))
        from pyspark import SparkFiles

        # The files of `--jars` and `--packages` are here: file systems of the clouds.
        jars.append(os.path.join(SparkFiles.getRootDirectory(), "*"))
    # The shell needs this file, with any content, if the cluster does not have it.
    (scratch / "core-site.xml").write_text("<configuration/>\n")
    class_path = os.pathsep.join([*jars, str(scratch)])
    return [java, "-Xmx512m", "-cp", class_path, "org.apache.hadoop.fs.FsShell"]
