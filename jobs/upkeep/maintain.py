"""`varve maintain`: the upkeep of a whole cluster, with what only it does: the past that is not kept goes."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from jobs.lake.files import stored_files
from jobs.lake.layout import tables_folder
from jobs.lake.sight import Sight
from jobs.landing.clear import clear_landed
from jobs.landing.order import only_writer
from jobs.settings import History, Settings
from jobs.storage import Storage, open_storage
from jobs.upkeep.retention import Outdated, Retention
from jobs.upkeep.tidy import sweep, tidy
from schemas.registry import tables

_MERGED_FROM = 2
"""A person who asks for upkeep wants it whole: here two small files are enough."""


@dataclass(frozen=True)
class Maintained:
    """What was done to a table: the parts that went, how many files it has and had, how many went from the disk."""

    table: str
    dropped: tuple[Outdated, ...]
    files_before: int
    files: int
    deleted: int


def planned(settings: Settings, cluster: str, now: datetime) -> list[Outdated]:
    """What `maintain` would drop now."""
    storage = open_storage(settings.lake).settled(tables_folder(cluster))
    keep = _retention(storage, settings.history, cluster, now)
    return [part for _, table in sorted(tables().items()) for part in keep.outdated(table)]


def maintain(settings: Settings, cluster: str, now: datetime) -> Iterator[Maintained]:
    """Drop what is not kept, merge small files and delete what nobody needs, table by table.

    Raises SnapshotRefusedError when another process is writing the cluster's tables.
    """
    opened = open_storage(settings.lake)
    with only_writer(opened, cluster):
        storage = opened.settled(tables_folder(cluster))
        if newest := Sight(storage, cluster).last:
            clear_landed(storage, cluster, newest.snapshot_id)
        keep = _retention(storage, settings.history, cluster, now)
        for name, table in sorted(tables().items()):
            if before := len(stored_files(storage, cluster, name)):
                parts = tuple(keep.outdated(table))
                for part in parts:
                    keep.drop(part)
                tidied = tidy(storage, cluster, name, _MERGED_FROM)
                deleted = tidied.deleted if tidied else sweep(storage, cluster, name)
                yield Maintained(name, parts, before, len(stored_files(storage, cluster, name)), deleted)


def _retention(storage: Storage, history: History, cluster: str, now: datetime) -> Retention:
    return Retention(storage, cluster, now, history.keep_days, history.series_days)
