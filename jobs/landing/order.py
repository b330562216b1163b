"""Snapshots enter a cluster's tables one after the other, by one process: which of them wait, go on or are given up."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager

from jobs.errors import SnapshotRefusedError
from jobs.lake.committed import committed_snapshot_ids
from jobs.lake.layout import (
    ABANDONED,
    MANIFEST,
    SEAL,
    abandoned_path,
    seals_folder,
    snapshot_ids,
    source_folder,
    writer_lock_path,
)
from jobs.landing.seal import is_sealed
from jobs.storage import Storage


@contextmanager
def only_writer(storage: Storage, cluster: str) -> Iterator[None]:
    """Hold the cluster's writer lock. Raises SnapshotRefusedError when another process has it."""
    path = writer_lock_path(cluster)
    with storage.lock(path) as is_held:
        if not is_held:
            raise SnapshotRefusedError(
                f"Another process is writing the lake of {cluster} ({storage.location(path)}): "
                "wait for it to end and call again"
            )
        yield


def check_is_newest(cluster: str, snapshot_id: str, committed: Collection[str]) -> None:
    """Raises SnapshotRefusedError when a newer snapshot is committed than the one of that id."""
    if committed and snapshot_id < max(committed):
        raise SnapshotRefusedError(
            f"Snapshot {snapshot_id} of {cluster} is older than the newest committed one, {max(committed)}: "
            "history is written in order, so it cannot be added any more"
        )


def check_is_not_given_up(storage: Storage, cluster: str, snapshot_id: str) -> None:
    """Raises SnapshotRefusedError when the snapshot was abandoned."""
    if storage.exists(abandoned_path(cluster, snapshot_id)):
        raise SnapshotRefusedError(f"Snapshot {snapshot_id} of {cluster} was given up: take a new one")


def landed_snapshots(storage: Storage, cluster: str, sources: Sequence[str]) -> list[str]:
    """The ids under which at least one source landed, the oldest first."""
    files = (path for source in sources for path in storage.list(source_folder(cluster, source)))
    return sorted(snapshot_ids(files, MANIFEST))


def unfinished(storage: Storage, cluster: str, committed: Collection[str]) -> list[str]:
    """Sealed snapshots that were neither committed nor given up, the oldest first."""
    paths = list(storage.list(seals_folder(cluster)))
    return sorted(snapshot_ids(paths, SEAL) - snapshot_ids(paths, ABANDONED) - set(committed))


def given_up(storage: Storage, cluster: str) -> set[str]:
    """The ids of the snapshots that were abandoned."""
    return snapshot_ids(storage.list(seals_folder(cluster)), ABANDONED)


def abandon(storage: Storage, cluster: str, snapshot_id: str) -> None:
    """Give a sealed snapshot up: what it wrote is never seen, and the next one can go on.

    Raises SnapshotRefusedError for one that was never begun, or is committed.
    """
    if snapshot_id in committed_snapshot_ids(storage, cluster):
        raise SnapshotRefusedError(
            f"Snapshot {snapshot_id} of {cluster} is committed: it cannot be given up any more"
        )
    if not is_sealed(storage, cluster, snapshot_id):
        raise SnapshotRefusedError(
            f"Snapshot {snapshot_id} of {cluster} was never begun: there is nothing to give up"
        )
    storage.create(abandoned_path(cluster, snapshot_id), b"")
