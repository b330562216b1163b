"""Keeps the cost of a Delta table from following its number of appends: small files are merged, old log entries go.

deltalake does it, in a tenth of Spark's time and without a JVM. What a reader may still be reading stays for a day.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jobs.lake.files import StoredFile, delta_table, stored_files, write_checkpoint
from jobs.storage import Storage

if TYPE_CHECKING:
    from deltalake import DeltaTable

_HOURS = 24
"""How long files stay that no version needs any more; as long as the log entries, see `jobs.lake.ddl`."""

_TARGET_BYTES = 1024 * 1024
"""Larger files are left as they are: what is merged is written again, and the old files stay on the disk for a day."""

SMALL_FILES = 8
"""With fewer of them, merging costs more than it saves."""


@dataclass(frozen=True)
class Tidied:
    """What upkeep did to a table: how many files it has now and had, and how many were deleted from the disk."""

    files_before: int
    files: int
    deleted: int


def tidy(storage: Storage, cluster: str, table: str, small_files: int = SMALL_FILES) -> Tidied | None:
    """Merge a table's small files, and delete what is no longer needed; None where there is too little to do.

    It appends to the table's log: whoever calls it holds the cluster's writer lock.
    """
    files = stored_files(storage, cluster, table)
    if not _has_many_small_files(files, small_files) or not (delta := _opened(storage, cluster, table)):
        return None
    delta.optimize.compact(target_size=_TARGET_BYTES)
    write_checkpoint(storage, cluster, table)
    return Tidied(len(files), len(delta.file_uris()), _sweep(delta))


def sweep(storage: Storage, cluster: str, table: str) -> int:
    """Delete what a table does not need any more; gives how many files went. Under the cluster's writer lock, too."""
    delta = _opened(storage, cluster, table)
    return _sweep(delta) if delta else 0


def _opened(storage: Storage, cluster: str, table: str) -> "DeltaTable | None":
    """The table, with a checkpoint: in an object store deltalake reads the log since the last one again and again."""
    write_checkpoint(storage, cluster, table)
    return delta_table(storage, cluster, table)


def _sweep(delta: "DeltaTable") -> int:
    delta.cleanup_metadata()
    return len(delta.vacuum(retention_hours=_HOURS, enforce_retention_duration=False, dry_run=False))


def _has_many_small_files(files: Sequence[StoredFile], small_files: int) -> bool:
    """Whether so many lie in one partition; files of different ones are never merged."""
    small = Counter(tuple(file.partition.items()) for file in files if file.size < _TARGET_BYTES)
    return max(small.values(), default=0) >= small_files
