"""What Kafka tells by the names of replica directories, of metadata checkpoints and of producer snapshots."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from jobs.sources.log_dirs.formats.java_text import ParseError, parse_int

_MARKED = re.compile(r"\S+-\S+\.\S+-(delete|future|stray)", re.ASCII)
_ENDING = re.compile(r"-(delete|future|stray)\Z")

_STATUS = {".checkpoint": "finished", ".checkpoint.part": "part", ".checkpoint.deleted": "deleted"}

_PRODUCER_SNAPSHOT = re.compile(r"(\d{20})\.snapshot", re.ASCII)
_SNAPSHOT_HEADER_BYTES, _PRODUCER_BYTES = 10, 46


@dataclass(frozen=True)
class ReplicaName:
    """`topic` may be cut short where `kind` is delete or stray: Kafka caps those names at 255 characters."""

    topic: str
    partition: int
    kind: str


@dataclass(frozen=True, order=True)
class CheckpointName:
    """`end_offset` is exclusive, `epoch` is that of the last record before it.

    `status` is finished, part (while it is written or fetched) or deleted (when it is about to go).
    """

    end_offset: int
    epoch: int
    status: str


def parse_dir_name(name: str) -> ReplicaName:
    """The replica whose directory has that name (`LocalLog.parseTopicPartitionName`).

    Raises ParseError where Kafka refuses to start over such a directory.
    """
    kind = kind_of(name)
    if kind != "current" and not _MARKED.fullmatch(name):
        raise _no_replica(name)
    replica = name if kind == "current" else name.rpartition(".")[0]
    topic, _, partition = replica.rpartition("-")
    if not topic:
        raise _no_replica(name)
    try:
        return ReplicaName(topic, parse_int(partition), kind)
    except ParseError:
        raise _no_replica(name) from None


def kind_of(name: str) -> str:
    """What the end of the name says the directory is, whether or not the rest of it is legal."""
    ending = _ENDING.search(name)
    return ending[1] if ending else "current"


def is_replica(name: str) -> bool:
    """Whether Kafka takes a directory of that name for a replica's."""
    try:
        parse_dir_name(name)
    except ParseError:
        return False
    return True


def _no_replica(name: str) -> ParseError:
    return ParseError(
        f"'{name}' is not in the form of topic-partition or topic-partition.uniqueId-delete (if marked for deletion)"
    )


def parse_checkpoint_name(name: str) -> CheckpointName | None:
    """The metadata checkpoint of that file name (`Snapshots.parse`), or None when the file is something else.

    Raises ParseError where Kafka finds no number in it.
    """
    for suffix, status in _STATUS.items():
        if name.endswith(suffix):
            return CheckpointName(parse_int(name[:20], 64), parse_int(name[21:31]), status)
    return None


def newest_finished(names: Iterable[str]) -> str | None:
    """The name of the newest finished metadata checkpoint, or None when there is none."""
    finished = []
    for name in names:
        try:
            checkpoint = parse_checkpoint_name(name)
        except ParseError:
            continue
        if checkpoint and checkpoint.status == "finished":
            finished.append((checkpoint, name))
    return max(finished)[1] if finished else None


def producers(name: str, size: int) -> tuple[int | None, int | None]:
    """The end offset (exclusive) of a producer snapshot, `<offset>.snapshot`, and how many producers it holds.

    It is a version, a checksum and a count (10 bytes), then 46 bytes for each producer (`ProducerStateManager`), so
    that its size tells the number; reading it would be a third file for every replica. The number is None for a
    snapshot that is being written or was cut off; both are None under a name that Kafka did not give.
    """
    match = _PRODUCER_SNAPSHOT.fullmatch(name)
    if not match or (offset := int(match[1])) >= 1 << 63:
        return None, None
    count, rest = divmod(size - _SNAPSHOT_HEADER_BYTES, _PRODUCER_BYTES)
    return offset, count if count >= 0 and not rest else None
