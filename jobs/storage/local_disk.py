"""A folder of a local disk as the place of a lake's files."""

import fcntl
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from uuid import uuid4

_UNFINISHED = ".unfinished-"


class LocalDisk:
    """A folder of a local disk. Files are made under another name and then linked or renamed to theirs."""

    locks_expire = False

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

    def list(self, folder: str, before: datetime | None = None) -> Iterator[str]:
        for parent, _, names in os.walk(self._root / folder, onerror=_raise_unless_absent):
            within = Path(parent).relative_to(self._root)
            for name in names:
                if not name.startswith(_UNFINISHED) and (not before or _is_older(Path(parent, name), before)):
                    yield (within / name).as_posix()

    def delete(self, *files: str) -> None:
        for file in files:
            (self._root / file).unlink(missing_ok=True)
        for folder in {(self._root / file).parent for file in files}:
            with suppress(OSError):  # it is gone, or there is another file in it
                folder.rmdir()

    def delete_folder(self, folder: str) -> None:
        with suppress(FileNotFoundError):
            shutil.rmtree(self._root / folder)

    def clear_unfinished(self, folder: str) -> None:
        for parent, _, names in os.walk(self._root / folder, onerror=_raise_unless_absent):
            for name in names:
                # Spark's and Varve's own way to name a file until it is whole.
                if name.startswith("."):
                    Path(parent, name).unlink()

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

    def check_locks(self) -> None:
        """Nothing to check: the lock of a file is held as long as its holder lives."""

    def location(self, path: str) -> str:
        return str(self._root / path)

    def log(self, table: str) -> str:
        return self.location(table)

    def show_files(self, table: str, shown: str, sizes: Mapping[str, int]) -> None:
        """Nothing to show: the table itself is."""

    def add_shown(self, table: str, shown: str) -> None:
        """Nothing to add: it was written into the table itself."""

    def changed(self, table: str) -> None:
        """Nothing is remembered."""

    def settled(self, folder: str | None = None) -> "LocalDisk":  # noqa: ARG002
        return self

    @property
    def options(self) -> dict[str, str]:
        return {}

    def here(self, path: str) -> str:
        return self.location(path)

    def fetch(self, sizes: Mapping[str, int]) -> None:
        """Nothing to fetch: the files are here."""

    def inside(self, folder: str) -> "LocalDisk":
        return LocalDisk(self._root / folder)

    @contextmanager
    def _unfinished(self, path: str, content: bytes) -> Iterator[Path]:
        """A file with the content beside the one that is to be, gone afterwards."""
        unfinished = (self._root / path).with_name(f"{_UNFINISHED}{uuid4().hex}")
        try:
            _write(unfinished, content)
            yield unfinished
        finally:
            unfinished.unlink(missing_ok=True)


def _write(path: Path, content: bytes) -> None:
    """Write a file into its folder, which goes with its last file, so maybe just now."""
    while True:
        path.parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileNotFoundError):
            path.write_bytes(content)
            return


def _is_older(path: Path, before: datetime) -> bool:
    with suppress(FileNotFoundError):
        return path.stat().st_mtime < before.timestamp()
    return False


def _raise_unless_absent(error: OSError) -> None:
    if not isinstance(error, FileNotFoundError):
        raise error
