"""Producer snapshots, `<offset>.snapshot` (`ProducerStateManager`), by their names and sizes alone.

A snapshot is a version, a checksum and a count (10 bytes), then 46 bytes for each producer, so that its size tells
how many producers a partition remembers. Its content is not read: that would be a third file for every replica.
"""

import re

_NAME = re.compile(r"(\d{20})\.snapshot", re.ASCII)
_HEADER, _PRODUCER = 10, 46


def producers(name: str, size: int) -> tuple[int | None, int | None]:
    """The end offset (exclusive) of a snapshot and how many producers it holds.

    None for the count of one that is being written or was cut off, and for both under a name that Kafka did not give.
    """
    match = _NAME.fullmatch(name)
    if not match or (offset := int(match[1])) >= 1 << 63:
        return None, None
    count, rest = divmod(size - _HEADER, _PRODUCER)
    return offset, count if count >= 0 and not rest else None
