"""Finished checkpoints of the metadata log (`org.apache.kafka.snapshot.Snapshots`): what the cluster was at an offset."""

from collections import Counter
from dataclasses import dataclass, field

from jobs.sources.log_dirs.formats import metadata_records as decode
from jobs.sources.log_dirs.formats.java_text import ParseError
from jobs.sources.log_dirs.formats.metadata_records import BrokerRegistration, Voter
from jobs.sources.log_dirs.formats.record_batch import Batch, batches, records
from jobs.sources.log_dirs.formats.wire import Reader

_FRAME_VERSION = 1
_LEADER_CHANGE, _HEADER, _FOOTER, _KRAFT_VERSION, _VOTERS = 2, 3, 4, 5, 6
_CHANGES_OF_BROKERS = (1, 7, 8, 17)


@dataclass
class Checkpoint:
    """What a whole checkpoint holds, as far as it is decoded; `records` counts all records by their type's number.

    `kraft_version` is 0 and `voters` null where the file says nothing of them, before kraft.version 1.
    """

    last_contained_ms: int | None = None
    kraft_version: int = 0
    voters: list[Voter] | None = None
    features: dict[str, int] = field(default_factory=dict)
    brokers: dict[int, BrokerRegistration] = field(default_factory=dict)
    records: Counter[int] = field(default_factory=Counter)


def parse_metadata_checkpoint(content: bytes) -> Checkpoint:
    """What the file says, from its SnapshotHeader to its SnapshotFooter.

    Raises ParseError naming the batch's first byte where it is malformed, and where the footer is missing: it is
    written last, so that a file without one was never finished or was cut.
    """
    checkpoint = Checkpoint()
    is_finished = False
    position = 0
    try:
        for batch in batches(content):
            position = batch.position
            if is_finished:
                raise ParseError("there is more after the SnapshotFooter")
            is_finished = _read(batch, checkpoint)
            position = batch.end
    except ParseError as problem:
        raise ParseError(f"batch at byte {position}: {problem}") from None
    if not is_finished:
        raise ParseError(
            f"there is no SnapshotFooter in its {len(content)} bytes: it was not finished, or cut"
        )
    return checkpoint


def _read(batch: Batch, checkpoint: Checkpoint) -> bool:
    """Take a batch in; whether the SnapshotFooter was its last record."""
    is_finished = False
    for key, value in records(batch):
        if is_finished:
            raise ParseError("there is a record after the SnapshotFooter")
        if batch.is_control:
            is_finished = _read_control(key, value, checkpoint)
        elif checkpoint.last_contained_ms is None:
            raise ParseError("the file does not begin with a SnapshotHeader")
        else:
            _read_data(key, value, checkpoint)
    return is_finished


def _read_control(key: Reader | None, value: Reader, checkpoint: Checkpoint) -> bool:
    if key is None:
        raise ParseError("Missing key in the record when a key was expected")
    key.number("h")
    kind = key.number("h")
    if (checkpoint.last_contained_ms is None) != (kind == _HEADER):
        raise ParseError("the file does not begin with its one SnapshotHeader")
    if kind == _HEADER:
        checkpoint.last_contained_ms = decode.snapshot_header(value)
    elif kind == _FOOTER:
        decode.snapshot_footer(value)
    elif kind == _KRAFT_VERSION:
        checkpoint.kraft_version = decode.kraft_version(value)
    elif kind == _VOTERS:
        checkpoint.voters = decode.voters(value)
    elif kind != _LEADER_CHANGE:
        raise ParseError(f"Unknown control record type {kind}")
    return kind == _FOOTER


def _read_data(key: Reader | None, value: Reader, checkpoint: Checkpoint) -> None:
    if key is not None:
        raise ParseError("Got key in the record when no key was expected")
    kind, version = _framed(value)
    checkpoint.records[kind] += 1
    if kind in _CHANGES_OF_BROKERS:
        name = decode.RECORD_TYPES[kind]
        raise ParseError(f"a {name} has no place in a checkpoint, which holds what is, not what changed")
    if kind == decode.REGISTER_BROKER:
        broker = decode.register_broker(value, version)
        checkpoint.brokers[broker.broker_id] = broker
    elif kind == decode.FEATURE_LEVEL:
        feature, level = decode.feature_level(value, version)
        checkpoint.features[feature] = level
    else:
        return
    value.finish(f"the record of type {kind}")


def _framed(value: Reader) -> tuple[int, int]:
    """Type and version of a record (`AbstractApiMessageSerde`)."""
    frame_version = value.unsigned_varint()
    if frame_version == 0:
        raise ParseError(
            "Could not deserialize metadata record with frame version 0. Note that upgrades from the preview "
            "release of KRaft in 2.8 to newer versions are not supported."
        )
    if frame_version != _FRAME_VERSION:
        raise ParseError(
            f"Could not deserialize metadata record due to unknown frame version {frame_version}"
            f"(only frame version {_FRAME_VERSION} is supported)"
        )
    return value.unsigned_varint(), value.unsigned_varint()
