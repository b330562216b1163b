"""Numbers, varints, compact strings and arrays as Kafka writes them (`ByteBufferAccessor`, KIP-482)."""

import struct
from base64 import urlsafe_b64encode
from collections.abc import Callable
from typing import TypeVar

from jobs.sources.log_dirs.formats.java_text import ParseError

_MAX_VARINT_SHIFT = 28
_MAX_VARLONG_SHIFT = 63

Element = TypeVar("Element")


class Reader:
    """Reads `data` from `position` up to `end`, front to back; no method reads further, or allocates more.

    Each raises ParseError where the bytes are not what it reads. No message holds anything of the data but numbers.
    """

    __slots__ = ("_data", "end", "position")

    def __init__(self, data: bytes, position: int = 0, end: int | None = None) -> None:
        self._data = data
        self.position = position
        self.end = len(data) if end is None else end

    @property
    def remaining(self) -> int:
        return self.end - self.position

    def take(self, size: int) -> bytes:
        """The next bytes."""
        start = self.skip(size)
        return self._data[start : self.position]

    def skip(self, size: int) -> int:
        """Pass over the next bytes, and give where they began."""
        start = self.position
        if not 0 <= size <= self.end - start:
            raise ParseError(
                f"Error reading byte array of {size} byte(s): only {self.remaining} byte(s) available"
            )
        self.position = start + size
        return start

    def within(self, start: int, end: int) -> "Reader":
        """A reader of a part that was passed over."""
        return Reader(self._data, start, end)

    def number(self, form: str) -> int:
        """The big-endian number that `struct` calls by that letter."""
        value: int = struct.unpack(f">{form}", self.take(struct.calcsize(form)))[0]
        return value

    def boolean(self) -> bool:
        return self.number("b") != 0

    def unsigned_varint(self, max_shift: int = _MAX_VARINT_SHIFT) -> int:
        value = shift = 0
        position = self.position
        while position < self.end:
            byte = self._data[position]
            position += 1
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                self.position = position
                return value
            if shift == max_shift:
                raise ParseError(f"Varint is too long, byte {shift // 7 + 1} of it says that there are more")
            shift += 7
        raise ParseError("Varint ends after the last byte available")

    def varint(self) -> int:
        """A zigzag-encoded 32-bit number."""
        value = self.unsigned_varint()
        return (value >> 1) ^ -(value & 1)

    def varlong(self) -> int:
        """A zigzag-encoded 64-bit number."""
        value = self.unsigned_varint(_MAX_VARLONG_SHIFT)
        return (value >> 1) ^ -(value & 1)

    def uuid(self) -> str:
        """An id in Kafka's 22-character form."""
        return urlsafe_b64encode(self.take(16)).decode().rstrip("=")

    def nullable_string(self) -> str | None:
        length = self.unsigned_varint() - 1
        if length < 0:
            return None
        try:
            return self.take(length).decode("utf-8")
        except UnicodeDecodeError:
            raise ParseError(f"a string of {length} byte(s) is not UTF-8") from None

    def string(self) -> str:
        text = self.nullable_string()
        if text is None:
            raise ParseError("non-nullable string was serialized as null")
        return text

    def array(self, element: Callable[["Reader"], Element]) -> list[Element]:
        """A compact array; an array that says it is longer than the bytes that are left is refused at once."""
        length = self.unsigned_varint() - 1
        if length < 0:
            raise ParseError("non-nullable array was serialized as null")
        if length > self.remaining:
            raise ParseError(
                f"Tried to allocate a collection of size {length}, but there are only {self.remaining} bytes remaining."
            )
        return [element(self) for _ in range(length)]

    def tagged_fields(self) -> dict[int, "Reader"]:
        """The tagged fields at the end of a message or of a struct in it, each by its tag."""
        fields = {}
        for _ in range(self.unsigned_varint()):
            tag, size = self.unsigned_varint(), self.unsigned_varint()
            start = self.skip(size)
            fields[tag] = self.within(start, self.position)
        return fields

    def finish(self, what: str) -> None:
        """Raises ParseError where anything is left."""
        if self.remaining:
            raise ParseError(f"Found {self.remaining} byte(s) of garbage after {what}")
