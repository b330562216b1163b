"""A reply of Kafka as it came over the wire, in kafka-python's decoding."""

import struct
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from kafka.errors import KafkaProtocolError
from kafka.protocol.frame import KafkaBytes
from kafka.protocol.schemas.fields.codecs import Int32, UnsignedVarInt32


@dataclass(frozen=True)
class Frame:
    """A reply that is not decoded yet: its message class, the version that was spoken, and its bytes.

    The bytes are a stream that stands after the header. Both methods raise KafkaProtocolError where they make no
    sense.
    """

    kind: Any
    version: int
    body: KafkaBytes

    def decode(self) -> Any:
        """The whole message as an object."""
        with making_sense(self.kind):
            return self.kind.decode(memoryview(self.body)[self.body.tell() :])

    def each(self, array: str) -> Iterator[dict[str, Any]]:
        """The structs of an array of the message, one by one: all as objects take many times their bytes."""
        flexible = self.kind.flexible_version_q(self.version)
        items = self.kind.fields[array]
        with making_sense(self.kind):
            for field in self.kind.fields.values():
                if field is items:
                    break
                if field.for_version_q(self.version):
                    field.decode(self.body, version=self.version, compact=flexible, tagged=flexible)
            count = UnsignedVarInt32.decode(self.body) - 1 if flexible else Int32.decode(self.body)
            decode = items.array_of.compiled_decode_from(self.version, compact=flexible, tagged=flexible)
            body, position = memoryview(self.body), self.body.tell()
            for _ in range(count):
                item, position = decode(body, position)
                yield item.to_dict()


@contextmanager
def making_sense(kind: Any) -> Iterator[None]:
    """Raise KafkaProtocolError where bytes cannot be decoded as that message."""
    try:
        yield
    except (ValueError, IndexError, struct.error) as error:
        raise KafkaProtocolError(f"this is no {kind.name}: {error}") from error
