"""`partition.metadata` (`PartitionMetadataFile`, KIP-516): the id of the topic that a replica's directory belongs to."""

import re
from dataclasses import dataclass
from functools import lru_cache

from jobs.sources.log_dirs.formats.java_text import NO_ID, ParseError, fields, lines, parse_id, parse_int

_SEPARATOR = re.compile(r":\s+", re.ASCII)


@dataclass(frozen=True)
class PartitionMetadata:
    """`topic_id` is written as Kafka itself writes it."""

    version: int
    topic_id: str


@lru_cache(maxsize=4096)  # all partitions of a topic have the same content
def parse_partition_metadata(content: bytes) -> PartitionMetadata:
    """What the file says. As for Kafka, only the values after the colons of its first two lines count.

    Raises ParseError where Kafka cannot read the file.
    """
    first_two = lines(content)[:2]
    if len(first_two) < 2:
        raise ParseError("it has fewer than two lines")
    version, topic_id = parse_int(_value(first_two[0])), parse_id(_value(first_two[1]))
    if version < 0:
        raise ParseError(f"version {version} is negative")
    if topic_id == NO_ID:
        raise ParseError("its topic id is that of zeros, which stands for none")
    return PartitionMetadata(version, topic_id)


def _value(line: str) -> str:
    match fields(_SEPARATOR, line):
        case [_, value]:
            return value
    raise ParseError(f"malformed line: {line}")
