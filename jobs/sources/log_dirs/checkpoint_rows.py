"""Turns a checkpoint of the metadata log into rows, in the column order of `schemas/metadata_checkpoints.py`."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from jobs.sources.log_dirs.metadata_checkpoint import Checkpoint, CheckpointId
from jobs.sources.log_dirs.metadata_records import RECORD_TYPES

Row = tuple[Any, ...]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def metadata_checkpoint_row(
    broker: int, path: str, found: CheckpointId, size: int, content: Checkpoint | str
) -> Row:
    """A row of `metadata_checkpoints`, of what is in the file or of the problem with it."""
    place = (broker, path, found.end_offset, found.epoch)
    if isinstance(content, str):
        return (*place, None, size, None, None, None, None, content)
    return (
        *place,
        _EPOCH + timedelta(milliseconds=content.last_contained_ms or 0),
        size,
        content.kraft_version,
        [{"name": name, "level": level} for name, level in sorted(content.features.items())],
        None
        if content.voters is None
        else [{"node_id": voter.node_id, "directory_id": voter.directory_id} for voter in content.voters],
        [
            {"type": RECORD_TYPES.get(kind, str(kind)), "count": count}
            for kind, count in sorted(content.records.items())
        ],
        None,
    )


def checkpoint_broker_rows(broker: int, path: str, content: Checkpoint) -> Iterator[Row]:
    """Rows of `checkpoint_brokers`. Kafka writes features and log dirs in any order, here they are sorted."""
    for registered in content.brokers.values():
        yield (
            broker,
            path,
            registered.broker_id,
            registered.epoch,
            registered.incarnation_id,
            [listener.address for listener in registered.listeners],
            [{"listener": listener.name, "protocol": listener.protocol} for listener in registered.listeners],
            [
                {"name": feature.name, "min_version": feature.min_version, "max_version": feature.max_version}
                for feature in sorted(registered.features, key=lambda feature: feature.name)
            ],
            registered.rack,
            registered.fenced,
            registered.in_controlled_shutdown,
            registered.is_migrating,
            sorted(registered.log_dirs),
        )
