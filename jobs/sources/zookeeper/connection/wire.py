"""Read requests and their replies in ZooKeeper's wire format (jute), many reads in one request where possible.

The requests have what kazoo's session expects of a request: `type`, `serialize`, `deserialize`. `deserialize` returns
the bytes as they arrived, so that the caller parses them in its own thread and not in kazoo's.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from struct import Struct
from typing import ClassVar, NamedTuple

from jobs.sources.zookeeper.connection.stat import STAT_BYTES

DATA, CHILDREN = 4, 8
NO_NODE, NO_AUTH = -101, -102

Data = tuple[bytes | None, bytes]
"""A znode's data, and its stat as 68 bytes that `stat.py` reads."""
Reply = Data | list[str] | int
"""The answer to one operation: the data, the names of the children, or a negative error code."""

_INT = Struct("!i")
_LONG = Struct("!q")
_MULTI_HEADER = Struct("!iBi")
_END = _MULTI_HEADER.pack(-1, 1, -1)
_HEADER_ZXID_AT = 4


class Operation(NamedTuple):
    """One read, of type `DATA` or `CHILDREN`. `expected_bytes` is the likely size of its reply, 0 when it is unknown."""

    type: int
    path: str
    expected_bytes: int = 0


@dataclass(frozen=True)
class Sync:
    """Makes the server catch up with the leader; the reply is the server's zxid after that."""

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
    """Many operations in one request, each with a reply or an error of its own.

    `MultiOperationRecord` and `MultiResponse` of ZooKeeper 3.6 and newer (ZOOKEEPER-3402).
    """

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
    """The reply at `offset` to one operation of that type, and the offset after it."""
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
