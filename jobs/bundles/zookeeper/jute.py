"""Reads ZooKeeper's own serialization (jute) as its servers write it to disk: big-endian, lengths before what they measure."""

from collections.abc import Callable
from struct import Struct, error
from typing import TypeVar

T = TypeVar("T")

_BOOL = Struct("!?")
_INT = Struct("!i")
_LONG = Struct("!q")


class JuteError(Exception):
    """The bytes are not what ZooKeeper writes."""


class Jute:
    """Reads from `buffer` on; `offset` is where the next value begins. Every read raises JuteError at the end."""

    def __init__(self, buffer: bytes, offset: int = 0) -> None:
        self.buffer = buffer
        self.offset = offset

    def read_struct(self, struct: Struct) -> tuple[int, ...]:
        """The values of a fixed part."""
        try:
            values: tuple[int, ...] = struct.unpack_from(self.buffer, self.offset)
        except error:
            raise JuteError(f"it ends in the middle, at byte {len(self.buffer)}") from None
        self.offset += struct.size
        return values

    def read_bool(self) -> bool:
        return bool(self.read_struct(_BOOL)[0])

    def read_int(self) -> int:
        return self.read_struct(_INT)[0]

    def read_long(self) -> int:
        return self.read_struct(_LONG)[0]

    def read_bytes(self) -> bytes | None:
        """A buffer; None where ZooKeeper has null."""
        length = self.read_int()
        if length < 0:
            return None
        start, self.offset = self.offset, self.offset + length
        if self.offset > len(self.buffer):
            raise JuteError(f"byte {start} announces {length} bytes, and the file ends before that")
        return self.buffer[start : self.offset]

    def read_string(self) -> str:
        try:
            return (self.read_bytes() or b"").decode()
        except UnicodeDecodeError:
            raise JuteError(f"the text before byte {self.offset} is no UTF-8") from None

    def read_vector(self, read: Callable[[], T]) -> list[T]:
        """As many values as announced; empty where ZooKeeper has null."""
        return [read() for _ in range(self.read_int())]

    def skip_acl(self) -> None:
        """Pass over a list of ACLs: permissions, scheme and id of each."""
        self.read_vector(lambda: (self.read_int(), self.read_bytes(), self.read_bytes()))
