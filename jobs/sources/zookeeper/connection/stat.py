"""A znode's stat, as ZooKeeper writes it: `org.apache.zookeeper.data.Stat`, 68 bytes."""

from struct import Struct
from typing import NamedTuple

STAT_BYTES = 68

_TYPES = "qqqqiiiqiiq"
_STAT = Struct(f"!{_TYPES}")
_ZXIDS = Struct("!qq40xiq")


class Stat(NamedTuple):
    """The fields of a stat in their order on the wire; times in milliseconds since the epoch."""

    czxid: int
    mzxid: int
    ctime: int
    mtime: int
    version: int
    cversion: int
    aversion: int
    ephemeral_owner: int
    data_length: int
    num_children: int
    pzxid: int


STAT_FIELDS = [(name, f">{code}") for name, code in zip(Stat._fields, _TYPES, strict=True)]
"""The fields with their types as NumPy names them, to read many stats at once."""


def read_stat(stat: bytes) -> Stat:
    return Stat._make(_STAT.unpack(stat))


def read_zxids(stat: bytes) -> tuple[int, int, int, int]:
    """czxid, mzxid, the number of children and pzxid; cheaper than the whole stat."""
    zxids: tuple[int, int, int, int] = _ZXIDS.unpack(stat)
    return zxids


def write_stat(stat: Stat) -> bytes:
    return _STAT.pack(*stat)
