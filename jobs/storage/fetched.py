"""Copies on this machine of files in an object store that never change: Delta's Parquet files, whose names are unique.

They are shared by all processes of this user, and by nobody else: a copy gets its name when it is whole. What nobody used
for a while goes, and the longest unused goes first when they are too many; what was used within the hour stays, because
somebody may still be reading it.
"""

import hashlib
import os
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

import obstore

from jobs.errors import VarveError
from jobs.machine.jars import cache
from jobs.storage.location import Bucket

if TYPE_CHECKING:
    from obstore.store import ObjectStore

AT_ONCE = 16
"""How many files are fetched side by side."""

_IN_USE_S = 3600
_SWEPT_EVERY_S = 3600
_SWEPT = ".swept"


class Fetched:
    """The copies of one prefix, within the bounds of `bucket`."""

    def __init__(self, bucket: Bucket) -> None:
        self._bounds = (bucket.cache_gb * 1e9, bucket.cache_days * 86_400)
        self._all = cache() / "files"
        of_prefix = f"{bucket.endpoint or ''} {bucket.url}"
        self._folder = self._all / hashlib.sha256(of_prefix.encode()).hexdigest()[:16]

    def path(self, key: str) -> str:
        """Where the copy of an object lies."""
        return str(self._folder / key)

    def fetch(self, store: "ObjectStore", sizes: Mapping[str, int]) -> None:
        """Have copies of objects whose sizes in bytes are known. Raises VarveError for one that has another size."""
        missing = [key for key, size in sizes.items() if not self._is_here(key, size)]
        if not missing:
            return
        self._all.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._all.chmod(0o700)
        self._make_room()
        with ThreadPoolExecutor(min(AT_ONCE, len(missing))) as pool:
            for _ in pool.map(lambda key: self._copy(store, key, sizes[key]), missing):
                pass

    def _is_here(self, key: str, size: int) -> bool:
        """Whether the copy is there; it counts as used now."""
        copy = self._folder / key
        try:
            if copy.stat().st_size != size:
                return False
            os.utime(copy)
        except FileNotFoundError:
            return False
        return True

    def _copy(self, store: "ObjectStore", key: str, size: int) -> None:
        content = bytes(obstore.get(store, key).bytes())
        if len(content) != size:
            raise VarveError(
                f"{key} has {len(content)} bytes, and the table's log says {size}: something else than Varve wrote there"
            )
        copy = self._folder / key
        copy.parent.mkdir(parents=True, exist_ok=True)
        unfinished = copy.with_name(f".{uuid4().hex}")
        try:
            unfinished.write_bytes(content)
            unfinished.replace(copy)
        finally:
            unfinished.unlink(missing_ok=True)

    def _make_room(self) -> None:
        """Delete what is too old or too much, at most once an hour over all processes."""
        now, mark = time.time(), self._all / _SWEPT
        with suppress(FileNotFoundError):
            if now - mark.stat().st_mtime < _SWEPT_EVERY_S:
                return
        mark.touch()
        most_bytes, longest_s = self._bounds
        kept = 0
        for unused_s, size, path in sorted(_copies(self._all, now)):
            kept += size
            if unused_s > _IN_USE_S and (unused_s > longest_s or kept > most_bytes):
                path.unlink(missing_ok=True)


def _copies(folder: Path, now: float) -> Iterator[tuple[float, int, Path]]:
    """For how many seconds each copy was not used, its size in bytes, and where it is."""
    for parent, _, names in os.walk(folder):
        for name in names:
            path = Path(parent, name)
            with suppress(FileNotFoundError):
                known = path.stat()
                yield now - known.st_mtime, known.st_size, path
