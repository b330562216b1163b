"""Copies on this machine of files in an object store that never change: Delta's Parquet files and the entries of its logs.

They are shared by all processes of this user, and by nobody else: a copy gets its name when it is whole. What nobody used
for a while goes, and the longest unused goes first when they are too many; what was used within the hour stays, because
somebody may still be reading it.
"""

import hashlib
import os
import re
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from uuid import uuid4

import obstore

from jobs.errors import VarveError
from jobs.machine.jars import cache
from jobs.storage.location import Bucket

if TYPE_CHECKING:
    from obstore import ObjectMeta
    from obstore.store import ObjectStore

AT_ONCE = 16
"""How many files are fetched side by side."""

_ENTRY = re.compile(r"\d{20}\.")
_QUOTES = '"'
_IN_USE_S = 3600
_SWEPT_EVERY_S = 3600
_SWEPT = ".swept"


class Copy(NamedTuple):
    """A copy: its name among the copies of a prefix, the object that it is of, and its size in bytes."""

    name: str
    key: str
    size: int


def since_checkpoint(log: Sequence["ObjectMeta"]) -> list[tuple[str, Copy]]:
    """The entries of a Delta log that tell what the table is now, by their names: the newest checkpoint, and what came after.

    A table that was deleted and written again has other entries of the same names, so a copy's name has the ETag, too.
    """
    names = {each["path"].rpartition("/")[2]: each for each in log}
    entries = {name: each for name, each in names.items() if _ENTRY.match(name)}
    newest = max((name[:20] for name in entries if ".checkpoint." in name), default="")
    return [
        (name, Copy(f"{each['path']}.{(each['e_tag'] or '').strip(_QUOTES)}", each["path"], each["size"]))
        for name, each in entries.items()
        if name[:20] > newest or name.startswith(f"{newest}.checkpoint.")
    ]


class Fetched:
    """The copies of one prefix, within the bounds of `bucket`."""

    def __init__(self, bucket: Bucket) -> None:
        self._bounds = (bucket.cache_gb * 1e9, bucket.cache_days * 86_400)
        self._all = cache() / "files"
        of_prefix = f"{bucket.endpoint or ''} {bucket.url}"
        self._folder = self._all / hashlib.sha256(of_prefix.encode()).hexdigest()[:16]

    def path(self, name: str) -> str:
        """Where the copy of that name lies."""
        return str(self._folder / name)

    def fetch(self, store: "ObjectStore", copies: Sequence[Copy]) -> None:
        """Have these copies. Raises VarveError for an object that has another size."""
        missing = [copy for copy in copies if not self._is_here(copy)]
        if not missing:
            return
        self._all.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._all.chmod(0o700)
        self._make_room()
        with ThreadPoolExecutor(min(AT_ONCE, len(missing))) as pool:
            for _ in pool.map(lambda copy: self._bring(store, copy), missing):
                pass

    def _is_here(self, copy: Copy) -> bool:
        """Whether the copy is there; it counts as used now."""
        path = self._folder / copy.name
        try:
            if path.stat().st_size != copy.size:
                return False
            os.utime(path)
        except FileNotFoundError:
            return False
        return True

    def _bring(self, store: "ObjectStore", copy: Copy) -> None:
        content = bytes(obstore.get(store, copy.key).bytes())
        if len(content) != copy.size:
            raise VarveError(
                f"{copy.key} has {len(content)} bytes, and the table's log says {copy.size}: something else than Varve "
                "wrote there"
            )
        path = self._folder / copy.name
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_name(f".{uuid4().hex}")
        try:
            unfinished.write_bytes(content)
            unfinished.replace(path)
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
