"""The one door to the files of a lake: few operations, each of which a local disk and an object store can do.

Nobody else opens, lists or deletes a file there. Spark, DuckDB, deltalake and pyarrow open files by themselves, and
get the `location` of one. A path is text, relative to where the storage was opened, with `/` between its parts;
`jobs/lake/layout.py` knows the paths. A folder exists as long as a file is in it.
"""

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Protocol
from uuid import uuid4

Location = Path
"""Where a lake is, as `lake` in varve.yaml names it."""

_UNFINISHED = ".unfinished-"


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

    def list(self, folder: str) -> Iterator[str]:
        """The path of every file in a folder, at any depth and in any order."""

    def delete(self, path: str) -> None:
        """Delete a file, or every file in a folder; nothing happens where there is neither."""

    def lock(self, path: str) -> AbstractContextManager[bool]:
        """Hold the lock of that path; False where another process holds it. It ends with its holder."""

    def location(self, path: str) -> str:
        """Where a file or folder is, for a library that opens it by itself."""

    def inside(self, folder: str) -> "Storage":
        """The files of one folder."""


def open_storage(location: Location) -> Storage:
    """The door to the files at a location; there need not be any yet."""
    return LocalDisk(location)


class LocalDisk:
    """A folder of a local disk. Files are made under another name and then linked or renamed to theirs."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def read(self, path: str) -> bytes | None:
        try:
            return (self._root / path).read_bytes()
        except FileNotFoundError:
            return None

    def write(self, path: str, content: bytes) -> None:
        with self._unfinished(path, content) as unfinished:
            unfinished.replace(self._root / path)

    def create(self, path: str, content: bytes) -> bool:
        with self._unfinished(path, content) as unfinished:
            try:
                (self._root / path).hardlink_to(unfinished)
            except FileExistsError:
                return False
        return True

    def exists(self, path: str) -> bool:
        return (self._root / path).is_file()

    def list(self, folder: str) -> Iterator[str]:
        for parent, _, names in os.walk(self._root / folder, onerror=_raise_unless_absent):
            within = Path(parent).relative_to(self._root)
            yield from ((within / name).as_posix() for name in names if not name.startswith(_UNFINISHED))

    def delete(self, path: str) -> None:
        there = self._root / path
        if there.is_dir():
            shutil.rmtree(there)
        else:
            there.unlink(missing_ok=True)

    @contextmanager
    def lock(self, path: str) -> Iterator[bool]:
        there = self._root / path
        there.parent.mkdir(parents=True, exist_ok=True)
        with there.open("w") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                yield False
            else:
                yield True

    def location(self, path: str) -> str:
        return str(self._root / path)

    def inside(self, folder: str) -> "LocalDisk":
        return LocalDisk(self._root / folder)

    @contextmanager
    def _unfinished(self, path: str, content: bytes) -> Iterator[Path]:
        """A file with the content beside the one that is to be, gone afterwards."""
        folder = (self._root / path).parent
        folder.mkdir(parents=True, exist_ok=True)
        unfinished = folder / f"{_UNFINISHED}{uuid4().hex}"
        try:
            unfinished.write_bytes(content)
            yield unfinished
        finally:
            unfinished.unlink(missing_ok=True)


def _raise_unless_absent(error: OSError) -> None:
    if not isinstance(error, FileNotFoundError):
        raise error
