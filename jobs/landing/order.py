"""Snapshots enter a cluster's tables one after the other, by one process: which of them wait, go on or are given up."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime

from jobs.errors import SnapshotRefusedError
from jobs.lake.layout import (
    MANIFEST,
    abandoned_path,
    attempt_path,
    snapshot_ids,
    source_folder,
    writer_lock_path,
)
from jobs.lake.once import SNAPSHOT, never, number_of
from jobs.lake.sight import Sight
from jobs.lake.snapshot_id import attempt_at
from jobs.landing.manifest import Manifest, captured_at, read_manifest
from jobs.landing.seal import is_sealed, read_seal
from jobs.landing.seals import list_seals
from jobs.storage import Storage
from schemas.snapshots import SNAPSHOTS, SourceStatus


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


def check_is_newest(cluster: str, snapshot_id: str, newest_begun: str | None) -> None:
    """Raises SnapshotRefusedError when a newer snapshot was begun than the one of that id."""
    if newest_begun and snapshot_id < newest_begun:
        raise SnapshotRefusedError(
            f"Snapshot {snapshot_id} of {cluster} is older than {newest_begun}, the newest one that was begun: "
            "history is written in order, so it cannot be added any more"
        )


def newest_capture(storage: Storage, sight: Sight, begun: Sequence[str]) -> tuple[datetime, str] | None:
    """The time that the newest snapshot stands for that was committed, or was `begun` and is not finished, and its id.

    None where there is none.
    """
    if begun:
        return captured_at(read_seal(storage, sight.cluster, begun[-1], []).manifests), begun[-1]
    return (sight.last.captured_at, sight.last.snapshot_id) if sight.last else None


def check_is_later(landed: Sequence[Manifest], newest: tuple[datetime, str] | None) -> None:
    """Raises SnapshotRefusedError unless what landed was captured after the newest of the other snapshots.

    Otherwise the state at an instant would be that of a snapshot which was taken after it.
    """
    at = captured_at(landed)
    if newest and at <= newest[0]:
        raise SnapshotRefusedError(
            f"What landed for snapshot {landed[0].snapshot_id} of {landed[0].cluster} was read at {at:%Y-%m-%d %H:%M:%SZ}, "
            f"but snapshot {newest[1]} was read at {newest[0]:%Y-%m-%d %H:%M:%SZ}, and history is written in order: what "
            "landed was discarded. Take a new snapshot, and compare the clocks of the hosts that collect if it is refused, "
            "too"
        )


def newest_begun(sight: Sight, begun: Sequence[str]) -> str | None:
    """The newest snapshot that was committed, or was `begun` and is not finished."""
    committed = [sight.last.snapshot_id] if sight.last else []
    return max([*committed, *begun], default=None)


def begin_again(storage: Storage, cluster: str, snapshot_id: str) -> str:
    """Count another attempt at a snapshot that was begun before: what an attempt wrote that ended early never counts.

    Gives what the attempt stamps on its rows.
    """
    number = 2
    while not storage.create(attempt_path(cluster, snapshot_id, number), b""):
        number += 1
    return attempt_at(snapshot_id, number)


def landed_snapshots(storage: Storage, cluster: str, sources: Sequence[str]) -> list[str]:
    """The ids under which at least one source landed, the oldest first."""
    files = (path for source in sources for path in storage.list(source_folder(cluster, source)))
    return sorted(snapshot_ids(files, MANIFEST))


def missed(
    storage: Storage, cluster: str, sources: Sequence[str], newest_begun: str | None, snapshot_id: str
) -> list[str]:
    """Snapshots before that one which every source landed and which were never begun, the oldest first.

    Whoever was to process them was stopped before it could seal them.
    """
    landed = landed_snapshots(storage, cluster, sources)
    between = {each for each in landed if (newest_begun or "") < each < snapshot_id}
    due = sorted(between - list_seals(storage, cluster).given_up) if between else []
    return [each for each in due if _landed_whole(storage, cluster, sources, each)]


def _landed_whole(storage: Storage, cluster: str, sources: Sequence[str], snapshot_id: str) -> bool:
    manifests = [read_manifest(storage, cluster, source, snapshot_id) for source in sources]
    return all(manifests) and any(
        manifest.status is not SourceStatus.FAILED for manifest in manifests if manifest
    )


def abandon(storage: Storage, cluster: str, snapshot_id: str) -> None:
    """Give a sealed snapshot up: what it wrote is never seen, and the next one can go on.

    Raises SnapshotRefusedError for one that was never begun, or is committed.
    """
    sight = Sight(storage, cluster)
    _check_is_not_committed(sight, snapshot_id)
    if not is_sealed(storage, cluster, snapshot_id):
        raise SnapshotRefusedError(
            f"Snapshot {snapshot_id} of {cluster} was never begun: there is nothing to give up"
        )
    storage.create(abandoned_path(cluster, snapshot_id), b"")
    # A driver that was paused may be about to commit it, but only where none before it is to be finished.
    if storage.locks_expire and not any(
        each < snapshot_id for each in list_seals(storage, cluster).unfinished(sight)
    ):
        never(storage, cluster, SNAPSHOTS.name, SNAPSHOT, number_of(snapshot_id))
        _check_is_not_committed(Sight(storage, cluster), snapshot_id)


def _check_is_not_committed(sight: Sight, snapshot_id: str) -> None:
    if snapshot_id in sight:
        raise SnapshotRefusedError(
            f"Snapshot {snapshot_id} of {sight.cluster} is committed: it cannot be given up any more"
        )
