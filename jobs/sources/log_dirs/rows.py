"""Turns what was read from a log dir into rows, in the column order of `schemas/log_dirs.py`."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from jobs.sources.log_dirs.contents import LogDirFiles
from jobs.sources.log_dirs.formats.names import producers
from jobs.sources.log_dirs.log_dir import LogDir
from jobs.sources.log_dirs.replica import Replica

Row = tuple[Any, ...]

_NONE = ("", 0)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def log_dir_row(broker: int, found: LogDirFiles, log_dir: LogDir) -> Row:
    """A row of `log_dirs`."""
    meta, quorum = log_dir.meta, log_dir.quorum
    return (
        broker,
        found.path,
        *((meta.version, meta.cluster_id, meta.node_id, meta.directory_id) if meta else (None,) * 4),
        *(
            (
                quorum.data_version,
                quorum.leader_id,
                quorum.leader_epoch,
                quorum.voted_id,
                quorum.voted_directory_id,
                quorum.voters,
            )
            if quorum
            else (None,) * 6
        ),
        log_dir.is_cleanly_shut,
        log_dir.broker_epoch,
        found.has_bootstrap_checkpoint,
        [
            {"end_offset": name.end_offset, "epoch": name.epoch, "status": name.status}
            for name in log_dir.checkpoints
        ],
        log_dir.problem,
    )


def space_row(broker: int, found: LogDirFiles) -> Row:
    """A row of `log_dir_space`."""
    return broker, found.path, found.total_bytes, found.free_bytes, found.tmp_files


def replica_row(broker: int, path: str, replica: Replica) -> Row:
    """A row of `disk_replicas`."""
    name, metadata, epochs = replica.name, replica.metadata, replica.leader_epochs
    return (
        broker,
        path,
        replica.dir_name,
        name.topic if name else None,
        name.partition if name else None,
        replica.kind,
        metadata.topic_id if metadata else None,
        metadata.version if metadata else None,
        _instant(replica.metadata_modified_ns),
        None if epochs is None else [{"epoch": epoch, "start_offset": start} for epoch, start in epochs],
        replica.problem,
    )


def offset_rows(broker: int, path: str, log_dir: LogDir, replicas: Iterable[Replica]) -> Iterator[Row]:
    """Rows of `disk_offsets`: one per directory, then one per checkpointed partition without a directory.

    Kafka checkpoints the target of a move under the partition's own name, and nothing for directories that
    are marked for deletion or stray.
    """
    without_directory = dict.fromkeys(key for offsets in log_dir.offsets for key in offsets)
    for replica in replicas:
        name = replica.name
        if name and replica.kind in ("current", "future"):
            key = (name.topic, name.partition)
            without_directory.pop(key, None)
            offsets = [checkpoint.get(key) for checkpoint in log_dir.offsets]
        else:
            offsets = [None] * len(log_dir.offsets)
        topic_partition = (name.topic, name.partition) if name else (None, None)
        yield (
            broker,
            path,
            replica.dir_name,
            *topic_partition,
            *offsets,
            replica.log_bytes,
            *producers(*(replica.producer_snapshot or _NONE)),
        )
    for key in without_directory:
        offsets = [checkpoint.get(key) for checkpoint in log_dir.offsets]
        yield (broker, path, f"{key[0]}-{key[1]}", *key, *offsets, None, None, None)


def _instant(nanoseconds: int | None) -> datetime | None:
    """None, too, for a time that no clock shows."""
    try:
        return None if nanoseconds is None else _EPOCH + timedelta(microseconds=nanoseconds // 1000)
    except OverflowError:
        return None
