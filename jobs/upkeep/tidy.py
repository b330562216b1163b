"""Keeps the cost of a Delta table from following its number of appends: small files are merged, old log entries go.

deltalake does it, in a tenth of Spark's time and without a JVM. What a reader may still be reading stays for a day.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from jobs.lake.files import StoredFile, changed_here, stored_files
from jobs.lake.layout import table_path
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
    small = _small_files(files)
    if max(small.values(), default=0) < small_files:
        return None
    to_merge = [file for file in files if file.size < _TARGET_BYTES and small[_partition(file)] > 1]
    with changed_here(storage, cluster, table, to_merge) as delta:
        deleted = _delete_unneeded(storage, table_path(cluster, table), delta)
        delta.optimize.compact(target_size=_TARGET_BYTES)
        delta.create_checkpoint()
        return Tidied(len(files), len(delta.file_uris()), deleted)


def sweep(storage: Storage, cluster: str, table: str) -> int:
    """Delete what a table does not need any more; gives how many files went. Under the cluster's writer lock, too.

    Its log is summed up: nobody reads it entry by entry any more.
    """
    with changed_here(storage, cluster, table) as delta:
        deleted = _delete_unneeded(storage, table_path(cluster, table), delta)
        delta.create_checkpoint()
    return deleted


def _delete_unneeded(storage: Storage, folder: str, delta: "DeltaTable") -> int:
    """Delete the files that no version of the last day names, and the entries that lead to none; gives how many files.

    To be done before the log is summed up: a checkpoint forgets a file when its time is over, and it would stay for ever.
    """
    old = set(storage.list(folder, before=datetime.now(UTC) - timedelta(hours=_HOURS)))
    named = delta.vacuum(retention_hours=_HOURS, enforce_retention_duration=False, dry_run=True)
    files = old & {f"{folder}/{file}" for file in named}
    storage.delete(*files, *_before_checkpoint(path for path in old if "/_delta_log/" in path))
    return len(files)


def _before_checkpoint(entries: Iterable[str]) -> list[str]:
    """Those entries of a log that come before the newest checkpoint among them; see Metadata Cleanup in Delta's protocol."""
    numbers = {path: path.rpartition("/")[2][:20] for path in entries}
    versions = {path: number for path, number in numbers.items() if number.isdigit()}
    newest = max((versions[path] for path in versions if ".checkpoint." in path), default="")
    return [path for path, version in versions.items() if version < newest]


def _small_files(files: Sequence[StoredFile]) -> "Counter[tuple[object, ...]]":
    """How many small files lie in each partition; those of different ones are never merged."""
    return Counter(_partition(file) for file in files if file.size < _TARGET_BYTES)


def _partition(file: StoredFile) -> tuple[object, ...]:
    return tuple(file.partition.values())
