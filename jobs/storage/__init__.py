"""The one door to the files of a lake: few operations, each of which a local disk and an object store can do.

Nobody else opens, lists or deletes a file there. Spark and deltalake open files by themselves, and get the `location`
of one; DuckDB reads files of this machine, where those of an object store are fetched to. A path is text, relative to
where the storage was opened, with `/` between its parts; `jobs/lake/layout.py` knows the paths. A folder exists as long
as a file is in it.
"""

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from datetime import datetime
from pathlib import Path
from typing import Protocol

from jobs.storage.local_disk import LocalDisk
from jobs.storage.location import Bucket, Location

__all__ = ["Bucket", "LocalDisk", "Location", "Storage", "open_storage"]


class Storage(Protocol):
    """The files below one location."""

    def read(self, path: str) -> bytes | None:
        """The content of a file, None where there is none."""

    def write(self, path: str, content: bytes) -> None:
        """Write a file whole, over the one before: a reader finds the old content or the new, never a part."""

    def create(self, path: str, content: bytes) -> bool:
        """Write a file whole unless it is there, and say whether this call wrote it; of several callers one does."""

    def exists(self, path: str) -> bool:
        """Whether there is a file of that path."""

    def list(self, folder: str, before: datetime | None = None) -> Iterator[str]:
        """The path of every file in a folder, at any depth and in any order; with `before`, of those last written earlier."""

    def delete(self, *files: str) -> None:
        """Delete files; nothing happens where one is not there."""

    def delete_folder(self, folder: str) -> None:
        """Delete every file in a folder, at any depth."""

    def clear_unfinished(self, folder: str) -> None:
        """Delete what a write that was cut off left in a folder. A file that was written whole stays, listed or not."""

    def lock(self, path: str) -> AbstractContextManager[bool]:
        """Hold the lock of that path; False where another process holds it. It ends with its holder."""

    locks_expire: bool
    """Whether a lock may end before its holder knows."""

    def check_locks(self) -> None:
        """Raises SnapshotRefusedError when a lock that was had through this storage is not held any more."""

    def location(self, path: str) -> str:
        """Where a file or folder is, for a library that opens it by itself."""

    def log(self, table: str) -> str:
        """Where deltalake reads the log of a table as it is now; there is nothing where the table was never written."""

    def show_files(self, table: str, shown: str, sizes: Mapping[str, int]) -> None:
        """Have files of a table, of which the size in bytes of each is known, where `log` has shown its log."""

    def add_shown(self, table: str, shown: str) -> None:
        """Have in a table what deltalake wrote where `log` has shown it, the entries of its log after the files.

        Raises SnapshotRefusedError when another process wrote one of these entries meanwhile.
        """

    def changed(self, table: str) -> None:
        """Say that the log of a table is not as it was any more, or will not be."""

    def settled(self, folder: str | None = None) -> "Storage":
        """The same files, for who may take each log to stay as it is first found, until somebody says that it `changed`.

        Of all tables in the folder, what is found is what is there now. A folder is as quick to ask as to remember, and does not.
        """

    @property
    def options(self) -> dict[str, str]:
        """What deltalake has to know to open a location, to write there."""

    def here(self, path: str) -> str:
        """Where a file that never changes lies on this machine, once it was fetched."""

    def fetch(self, sizes: Mapping[str, int]) -> None:
        """Bring files that never change to this machine; the size in bytes of each is known."""

    def inside(self, folder: str) -> "Storage":
        """The files of one folder."""


def open_storage(location: Location) -> Storage:
    """The door to the files at a location; there need not be any yet."""
    if isinstance(location, Path):
        return LocalDisk(location)
    from jobs.storage.object_store import open_bucket

    return open_bucket(location)
