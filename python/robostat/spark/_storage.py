"""Files and directories as the driver finds them: on its disks, or through Spark's Java."""

from __future__ import annotations

import contextlib
import glob
import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from robostat.spark._hadoop import local_path

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


class Storage:
    """Local disks, and the file systems that Spark's Hadoop supports."""

    def __init__(self, spark: SparkSession) -> None:
        self._spark = spark

    def sizes(self, argument: str) -> tuple[str, dict[str, int]]:
        """An argument, made absolute if it is local, and the bytes of each file below it.

        A file has an empty path below itself.
        """
        local = local_path(argument)
        if local is not None:
            top = os.path.abspath(local)
            if not os.path.isdir(top):
                return top, {"": os.stat(top).st_size}
            paths = [os.path.join(folder, name) for folder, _, names in os.walk(top) for name in names]
            # As the program does, passes over links to missing files.
            found = [path for path in paths if os.path.exists(path)]
            return top, {os.path.relpath(path, top): os.stat(path).st_size for path in found}
        system, path = self._place(argument)
        if not system.exists(path):
            raise FileNotFoundError(argument)
        status = system.getFileStatus(path)
        if not status.isDirectory():
            return argument, {"": status.getLen()}
        above = status.getPath().toUri().getPath().rstrip("/") + "/"
        files = system.listFiles(status.getPath(), True)
        sizes = {}
        while files.hasNext():
            file = files.next()
            sizes[file.getPath().toUri().getPath().removeprefix(above)] = file.getLen()
        return argument, sizes

    def matches(self, pattern: str) -> list[str]:
        """The paths that match a pattern, sorted; an existing path or one without wildcards as is."""
        if not glob.has_magic(pattern) or self.exists(pattern):
            return [pattern]
        local = local_path(pattern)
        if local is not None:
            return sorted(glob.glob(local))
        system, path = self._place(pattern)
        return sorted(status.getPath().toString() for status in system.globStatus(path) or [])

    def exists(self, uri: str) -> bool:
        """Whether there is a file or directory."""
        local = local_path(uri)
        if local is not None:
            return os.path.exists(local)
        system, path = self._place(uri)
        return bool(system.exists(path))

    def make(self, directory: str) -> None:
        """Makes a directory and its parents."""
        local = local_path(directory)
        if local is not None:
            os.makedirs(local)
        else:
            system, path = self._place(directory)
            system.mkdirs(path)

    def copy(self, source: str, directory: Path) -> None:
        """Copies a directory of one of Hadoop's file systems to a new one on this disk."""
        system, path = self._place(source)
        # Keeps the source, and writes no checksum files next to the copies.
        system.copyToLocalFile(False, path, self._place(directory.resolve().as_uri())[1], True)

    def remove(self, directory: str) -> None:
        """Removes a directory, and its parent if that is empty then."""
        local = local_path(directory)
        if local is not None:
            shutil.rmtree(local, ignore_errors=True)
            with contextlib.suppress(OSError):  # another run's directories are in it
                os.rmdir(os.path.dirname(local))
            return
        system, path = self._place(directory)
        system.delete(path, True)
        if not system.listStatus(path.getParent()):
            system.delete(path.getParent(), False)

    def _place(self, uri: str) -> tuple[Any, Any]:
        """A file system of Hadoop's, and the path in it."""
        context: Any = self._spark.sparkContext
        path = context._jvm.org.apache.hadoop.fs.Path(uri)
        return path.getFileSystem(context._jsc.hadoopConfiguration()), path
