"""Checkpoint files (`CheckpointFile`): version, count, one entry a line.

Offset checkpoints are in a log dir (`OffsetCheckpointFile`), `leader-epoch-checkpoint` is in each replica's
directory (`LeaderEpochCheckpointFile`).
"""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import TypeVar

from jobs.sources.log_dirs.formats.java_text import ParseError, fields, lines, parse_int

_SPACES = re.compile(r"\s+", re.ASCII)

Entry = TypeVar("Entry")
Offsets = dict[tuple[str, int], int]
Epochs = list[tuple[int, int]]


def parse_offsets(content: bytes) -> Offsets:
    """The offset of each (topic, partition). Of two lines for one partition the last wins.

    Raises ParseError where Kafka cannot read the file.
    """
    return {(topic, partition): offset for topic, partition, offset in _entries(content, _offset)}


@lru_cache(maxsize=4096)  # most partitions of a quiet cluster have one of a few contents
def parse_epochs(content: bytes) -> Epochs:
    """The (leader epoch, start offset) lines, as they stand.

    Raises ParseError where Kafka cannot read the file.
    """
    return _entries(content, _epoch)


def _offset(line: str) -> tuple[str, int, int]:
    match fields(_SPACES, line):
        case [topic, partition, offset]:
            return topic, parse_int(partition), parse_int(offset, 64)
    raise _malformed(line)


def _epoch(line: str) -> tuple[int, int]:
    match fields(_SPACES, line):
        case [first, second]:
            epoch, start = parse_int(first), parse_int(second, 64)
        case _:
            raise _malformed(line)
    if epoch < 0 or start < 0:
        raise ParseError(f"leader epoch {epoch} from offset {start}: neither may be negative")
    return epoch, start


def _entries(content: bytes, parse: Callable[[str], Entry]) -> list[Entry]:
    all_lines = lines(content)
    head, body = all_lines[:2], all_lines[2:]
    if head and (version := parse_int(head[0])) != 0:
        raise ParseError(f"version {version} is not 0")
    if len(head) < 2:
        return []
    count = parse_int(head[1])
    entries = [parse(line) for line in body]
    if len(entries) != count:
        raise ParseError(f"it announces {count} entries and holds {len(entries)}")
    return entries


def _malformed(line: str) -> ParseError:
    return ParseError(f"malformed line: {line}")
