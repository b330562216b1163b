"""Reads on ZooKeeper's wire (jute), several in one request: `MultiOperationRecord`, `MultiResponse` (ZOOKEEPER-3402).

The requests have what kazoo's session asks of one: `type`, `serialize`, `deserialize`. Replies come back as the
bytes that arrived and are parsed by the caller, in its own thread.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from struct import Struct
from typing import ClassVar, NamedTuple

DATA, CHILDREN = 4, 8
NO_NODE, NO_AUTH = -101, -102
STAT_BYTES = 68

Data = tuple[bytes | None, bytes]
"""A znode's data and its stat as 68 bytes; see `Stat`."""
Reply = Data | list[str] | int
"""What came for one operation: data, the children's names, or a (negative) error code."""

_INT = Struct("!i")
_LONG = Struct("!q")
_MULTI_HEADER = Struct("!iBi")
_END = _MULTI_HEADER.pack(-1, 1, -1)
STAT_FIELDS = [
    ("czxid", ">i8"),
    ("mzxid", ">i8"),
    ("ctime", ">i8"),
    ("mtime", ">i8"),
    ("version", ">i4"),
    ("cversion", ">i4"),
    ("aversion", ">i4"),
    ("ephemeral_owner", ">i8"),
    ("data_length", ">i4"),
    ("num_children", ">i4"),
    ("pzxid", ">i8"),
]
"""A stat's 68 bytes (`org.apache.zookeeper.data.Stat`), as NumPy names types; times in milliseconds since 1970."""

_STAT = Struct("!qqqqiiiqiiq")
_ZXIDS = Struct("!qq40xiq")
_HEADER_ZXID_AT = 4


class Stat(NamedTuple):
    """A znode's stat (`org.apache.zookeeper.data.Stat`); times in milliseconds since the epoch."""

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


class Operation(NamedTuple):
    """One read of `DATA` or `CHILDREN`; `expected_bytes` of its reply, 0 when nothing is known."""

    type: int
    path: str
    expected_bytes: int = 0


@dataclass(frozen=True)
class Sync:
    """Waits until the server has caught up with the leader; the reply is the zxid it had then."""

    path: str
    type: ClassVar[int] = 9

    def serialize(self) -> bytes:
        return _path(self.path)

    @staticmethod
    def deserialize(buffer: bytes, _offset: int) -> int:
        zxid: int = _LONG.unpack_from(buffer, _HEADER_ZXID_AT)[0]
        return zxid


@dataclass(frozen=True)
class SingleRead:
    """One operation as a request of its own."""

    type: int
    path: str

    def serialize(self) -> bytes:
        return _path(self.path) + b"\0"

    @staticmethod
    def deserialize(buffer: bytes, offset: int) -> tuple[bytes, int]:
        return buffer, offset


@dataclass(frozen=True)
class MultiRead:
    """Many operations in one request, an error per operation; known to servers since 3.6."""

    operations: Sequence[Operation]
    type: ClassVar[int] = 22

    def serialize(self) -> bytes:
        parts = []
        for operation in self.operations:
            parts += [_MULTI_HEADER.pack(operation.type, 0, -1), _path(operation.path), b"\0"]
        return b"".join([*parts, _END])

    @staticmethod
    def deserialize(buffer: bytes, offset: int) -> tuple[bytes, int]:
        return buffer, offset


def read_stat(stat: bytes) -> Stat:
    return Stat._make(_STAT.unpack(stat))


def read_zxids(stat: bytes) -> tuple[int, int, int, int]:
    """Of a stat only czxid, mzxid, the number of children and pzxid."""
    zxids: tuple[int, int, int, int] = _ZXIDS.unpack(stat)
    return zxids


def write_stat(stat: Stat) -> bytes:
    return _STAT.pack(*stat)


def read_multi(buffer: bytes, offset: int) -> list[Reply]:
    """The replies of a `MultiRead`, in the order of its operations."""
    replies: list[Reply] = []
    header = _MULTI_HEADER.unpack_from
    while True:
        kind, done, error = header(buffer, offset)
        offset += _MULTI_HEADER.size
        if done:
            return replies
        if kind in (DATA, CHILDREN):
            reply, offset = read_one(kind, buffer, offset)
            replies.append(reply)
        else:
            replies.append(error)
            offset += _INT.size


def read_one(kind: int, buffer: bytes, offset: int) -> tuple[Reply, int]:
    """The reply at `offset` to one operation of that kind, and where it ends."""
    return _read_data(buffer, offset) if kind == DATA else _read_names(buffer, offset)


def _read_data(buffer: bytes, offset: int) -> tuple[Data, int]:
    length = _INT.unpack_from(buffer, offset)[0]
    start = offset + 4
    if length < 0:
        return (None, buffer[start : start + STAT_BYTES]), start + STAT_BYTES
    end = start + length
    return (buffer[start:end], buffer[end : end + STAT_BYTES]), end + STAT_BYTES


def _read_names(buffer: bytes, offset: int) -> tuple[list[str], int]:
    names = []
    count = _INT.unpack_from(buffer, offset)[0]
    offset += 4
    for _ in range(count):
        start = offset + 4
        offset = start + _INT.unpack_from(buffer, offset)[0]
        names.append(buffer[start:offset].decode())
    return names, offset


def _path(path: str) -> bytes:
    encoded = path.encode()
    return _INT.pack(len(encoded)) + encoded
