"""Checkpoint files (`CheckpointFile`): version, count, one entry a line.

Offset checkpoints lie in a log dir (`OffsetCheckpointFile`), `leader-epoch-checkpoint` in each replica's
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


def parse_offsets(content: bytes, path: str) -> Offsets:
    """The offset of each (topic, partition). Of two lines for one partition the last wins.

    Raises ParseError where Kafka cannot read the file.
    """
    return {(topic, partition): offset for topic, partition, offset in _entries(content, path, _offset)}


def parse_epochs(content: bytes, path: str) -> Epochs:
    """The (leader epoch, start offset) lines, as they stand.

    Raises ParseError where Kafka cannot read the file.
    """
    try:
        return _of_any_partition(content)
    except ParseError:
        return _entries(content, path, _epoch)


@lru_cache(maxsize=4096)
def _of_any_partition(content: bytes) -> Epochs:
    """Most partitions of a quiet cluster have one of a few contents."""
    return _entries(content, "", _epoch)


def _offset(line: str) -> tuple[str, int, int] | None:
    match fields(_SPACES, line):
        case [topic, partition, offset]:
            return topic, parse_int(partition), parse_int(offset, 64)
    return None


def _epoch(line: str) -> tuple[int, int] | None:
    match fields(_SPACES, line):
        case [first, second]:
            epoch, start = parse_int(first), parse_int(second, 64)
        case _:
            return None
    if epoch < 0 or start < 0:
        entry = f"EpochEntry(epoch={epoch}, startOffset={start})"
        raise ParseError(f"IllegalArgumentException: Received invalid partition leader epoch entry {entry}")
    return epoch, start


def _entries(content: bytes, path: str, parse: Callable[[str], Entry | None]) -> list[Entry]:
    all_lines = lines(content)
    head, body = all_lines[:2], all_lines[2:]
    if head and (version := _header(head[0], path)) != 0:
        raise ParseError(f"Unrecognised version:{version}, expected version: 0 in checkpoint file at: {path}")
    if len(head) < 2:
        return []
    count = _header(head[1], path)
    if count < 0:
        raise ParseError(f"IllegalArgumentException: Illegal Capacity: {count}")
    entries = []
    for line in body:
        entry = parse(line)
        if entry is None:
            raise _malformed(line, path)
        entries.append(entry)
    if len(entries) != count:
        raise ParseError(
            f"Expected [{count}] entries in checkpoint file [{path}], but found only [{len(entries)}]"
        )
    return entries


def _header(line: str, path: str) -> int:
    try:
        return parse_int(line)
    except ParseError:
        raise _malformed(line, path) from None


def _malformed(line: str, path: str) -> ParseError:
    return ParseError(f"Malformed line in checkpoint file [{path}]: {line}")
