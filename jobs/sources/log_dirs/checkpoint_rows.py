"""Turns the newest checkpoint of the metadata log into rows of `schemas/metadata_checkpoints.py`, or into a gap."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from jobs.errors import NotReadError
from jobs.sources.log_dirs.contents import METADATA_LOG, LogDirFiles
from jobs.sources.log_dirs.explain import unsettled
from jobs.sources.log_dirs.formats.java_text import ParseError
from jobs.sources.log_dirs.formats.metadata_checkpoint import Checkpoint, parse_metadata_checkpoint
from jobs.sources.log_dirs.formats.metadata_records import RECORD_TYPES
from jobs.sources.log_dirs.formats.names import newest_finished, parse_checkpoint_name
from schemas.snapshots import GapReason

Row = tuple[Any, ...]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_END_OF_TIME_MS = 253_402_300_800_000
"""The year 10,000, which `datetime` does not reach."""
_SCOPE = f"{METADATA_LOG}/checkpoint"
_OWN_USER = "Kafka lets only its own user read checkpoints: run Varve's part on that machine as that user."


@dataclass(frozen=True)
class CheckpointRows:
    """The rows by their table; `gaps` are those of the log dir, each a scope in it, a reason and a message."""

    rows: dict[str, list[Row]] = field(default_factory=dict)
    gaps: list[tuple[str, GapReason, str]] = field(default_factory=list)


def checkpoint_rows(broker: int, found: LogDirFiles) -> CheckpointRows:
    """The newest finished checkpoint of a log dir, if there is one.

    A malformed checkpoint is a row with its problem and nothing else. The registrations that an earlier checkpoint told
    are then under a gap: they were not seen, which does not mean that they are gone.
    """
    if found.newest_checkpoint is None:
        return _nothing(found)
    name, file = found.newest_checkpoint
    if isinstance(file, NotReadError):
        remedy = f" {_OWN_USER}" if file.reason == GapReason.UNAUTHORIZED else ""
        return CheckpointRows(gaps=[(_SCOPE, file.reason, f"{file}{remedy}")])
    try:
        content = parse_metadata_checkpoint(file.content)
    except ParseError as problem:
        row = (*_place(broker, found.path, name), None, len(file.content), *(None,) * 4, str(problem))
        told = f"{found.path}/{METADATA_LOG}/{name} is not trusted: {problem}."
        return CheckpointRows(
            {"metadata_checkpoints": [row]}, [(f"{_SCOPE}/brokers", GapReason.UNREADABLE, told)]
        )
    return CheckpointRows(
        {
            "metadata_checkpoints": [
                (*_place(broker, found.path, name), *_content(content, len(file.content)))
            ],
            "checkpoint_brokers": list(_registrations(broker, found.path, content)),
        }
    )


def _nothing(found: LogDirFiles) -> CheckpointRows:
    if newest_finished(found.checkpoint_names) is None:
        return CheckpointRows()
    gone = unsettled(
        f"The newest checkpoint in {found.path}/{METADATA_LOG} was replaced whenever it was to be read"
    )
    return CheckpointRows(gaps=[(_SCOPE, gone.reason, str(gone))])


def _place(broker: int, path: str, name: str) -> Row:
    checkpoint = parse_checkpoint_name(name)
    assert checkpoint is not None, "only the newest finished checkpoint is read"
    return broker, path, checkpoint.end_offset, checkpoint.epoch


def _content(content: Checkpoint, size: int) -> Row:
    voters = content.voters
    return (
        _instant(content.last_contained_ms),
        size,
        content.kraft_version,
        [{"name": name, "level": level} for name, level in sorted(content.features.items())],
        voters and [{"node_id": voter.node_id, "directory_id": voter.directory_id} for voter in voters],
        [
            {"type": RECORD_TYPES.get(kind, str(kind)), "count": count}
            for kind, count in sorted(content.records.items())
        ],
        None,
    )


def _instant(milliseconds: int | None) -> datetime | None:
    """None for what is no time, such as Kafka's own -1."""
    if milliseconds is None or not 0 <= milliseconds < _END_OF_TIME_MS:
        return None
    return _EPOCH + timedelta(milliseconds=milliseconds)


def _registrations(broker: int, path: str, content: Checkpoint) -> Iterator[Row]:
    """Kafka writes features and log dirs in any order, here they are sorted."""
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
