"""Decodes Kafka's replies with kafka-python's message classes."""

import struct
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from kafka.errors import KafkaProtocolError
from kafka.protocol.frame import KafkaBytes
from kafka.protocol.schemas.fields.codecs import Int32, UnsignedVarInt32

from jobs.sources.kafka.connection.failures import raise_for


@dataclass(frozen=True)
class Frame:
    """A reply that is not decoded yet: its message class, its version, and its bytes as a stream after the header.

    Every method raises KafkaProtocolError when the bytes cannot be decoded.
    """

    kind: Any
    version: int
    body: KafkaBytes

    def decode(self) -> Any:
        """The whole message as one object."""
        with making_sense(self.kind):
            return self.kind.decode(memoryview(self.body)[self.body.tell() :])

    def rest(self, array: str) -> bytes:
        """The bytes of that array and of all that comes after it; equal bytes of one version say the same."""
        position = self.body.tell()
        with making_sense(self.kind):
            self._skip_to(array)
        rest = bytes(memoryview(self.body)[self.body.tell() :])
        self.body.seek(position)
        return rest

    def each(self, array: str) -> Iterator[dict[str, Any]]:
        """The structs of one array of the message, one by one: all objects together take many times the bytes.

        Raises the KafkaError of the message's error code where that comes before the array.
        """
        flexible = self.kind.flexible_version_q(self.version)
        items = self.kind.fields[array]
        with making_sense(self.kind):
            self._skip_to(array)
            count = UnsignedVarInt32.decode(self.body) - 1 if flexible else Int32.decode(self.body)
            decode = items.array_of.compiled_decode_from(self.version, compact=flexible, tagged=flexible)
            body, position = memoryview(self.body), self.body.tell()
            for _ in range(count):
                item, position = decode(body, position)
                yield item.to_dict()

    def _skip_to(self, array: str) -> None:
        flexible = self.kind.flexible_version_q(self.version)
        for name, field in self.kind.fields.items():
            if name == array:
                return
            if field.for_version_q(self.version):
                value = field.decode(self.body, version=self.version, compact=flexible, tagged=flexible)
                if name == "error_code":
                    raise_for({name: value})


@contextmanager
def making_sense(kind: Any) -> Iterator[None]:
    """Turn the errors of decoding a message of this kind into KafkaProtocolError."""
    try:
        yield
    except (ValueError, IndexError, struct.error) as error:
        raise KafkaProtocolError(f"this is no {kind.name}: {error}") from error


def kafka_id(value: UUID | str | None) -> str | None:
    """An id as Kafka writes it (`org.apache.kafka.common.Uuid`, 22 characters); None for the zero id, which means none.

    kafka-python decodes ids as UUIDs.
    """
    if value is None:
        return None
    uuid = UUID(str(value))
    return urlsafe_b64encode(uuid.bytes).decode().rstrip("=") if uuid.int else None
