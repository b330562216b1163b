"""`partition.metadata` (`PartitionMetadataFile`, KIP-516): which topic, by id, a replica's directory belongs to."""

import re
from dataclasses import dataclass
from functools import lru_cache

from jobs.sources.log_dirs.formats.java_text import ParseError, fields, lines, parse_int
from jobs.sources.log_dirs.formats.kafka_uuid import ZERO, canonical

_SEPARATOR = re.compile(r":\s+", re.ASCII)


@dataclass(frozen=True)
class PartitionMetadata:
    """`topic_id` is in its canonical form."""

    version: int
    topic_id: str


def parse_partition_metadata(content: bytes, path: str) -> PartitionMetadata:
    """What the file says. Only the first two lines and the values after the colons count, as for Kafka.

    Raises ParseError where Kafka cannot read the file.
    """
    try:
        return _of_any_partition(content)
    except ParseError:
        return _parse(content, path)


@lru_cache(maxsize=4096)
def _of_any_partition(content: bytes) -> PartitionMetadata:
    """All partitions of a topic have the same content."""
    return _parse(content, "")


def _parse(content: bytes, path: str) -> PartitionMetadata:
    first_two = [*lines(content)[:2], None, None]
    version_text = _value(first_two[0], path)
    try:
        version = parse_int(version_text)
    except ParseError:
        raise _malformed(first_two[0], path) from None
    if version < 0:
        raise ParseError(f"Unrecognized version of partition metadata file + ({path}): {version}")
    topic_id = canonical(_value(first_two[1], path))
    if topic_id == ZERO:
        raise ParseError(f"Invalid topic ID in partition metadata file ({path})")
    return PartitionMetadata(version, topic_id)


def _value(line: str | None, path: str) -> str:
    if line is None:
        raise ParseError("NullPointerException: the file has fewer than two lines")
    match fields(_SEPARATOR, line):
        case [_, value]:
            return value
    raise _malformed(line, path)


def _malformed(line: str | None, path: str) -> ParseError:
    return ParseError(f"Malformed line in checkpoint file [{path}]: {line}")
