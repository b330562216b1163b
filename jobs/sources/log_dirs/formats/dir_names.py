"""Names of replica directories (`LocalLog.parseTopicPartitionName`)."""

import re
from dataclasses import dataclass

from jobs.sources.log_dirs.formats.java_text import ParseError, parse_int

_MARKED = re.compile(r"\S+-\S+\.\S+-(delete|future|stray)", re.ASCII)
_ENDING = re.compile(r"-(delete|future|stray)\Z")


@dataclass(frozen=True)
class ReplicaName:
    """`topic` may be cut short where `kind` is delete or stray: Kafka caps those names at 255 characters."""

    topic: str
    partition: int
    kind: str


def parse_dir_name(name: str) -> ReplicaName:
    """The replica a directory holds by its name, cut at the last dash, a mark at the last dot.

    Raises ParseError where Kafka refuses to start over such a directory.
    """
    kind = kind_of(name)
    if kind != "current" and not _MARKED.fullmatch(name):
        raise _refused(name)
    replica = name if kind == "current" else name.rpartition(".")[0]
    topic, _, partition = replica.rpartition("-")
    if not topic:
        raise _refused(name)
    try:
        return ReplicaName(topic, parse_int(partition), kind)
    except ParseError:
        raise _refused(name) from None


def kind_of(name: str) -> str:
    """What the end of the name says the directory is, whether or not the rest of it is legal."""
    ending = _ENDING.search(name)
    return ending[1] if ending else "current"


def _refused(name: str) -> ParseError:
    return ParseError(
        f"'{name}' is not in the form of topic-partition or topic-partition.uniqueId-delete (if marked for deletion)"
    )


def is_replica(name: str) -> bool:
    """Whether Kafka takes a directory of that name for a replica's."""
    try:
        parse_dir_name(name)
    except ParseError:
        return False
    return True
