"""Replies as they come over the wire."""

from typing import Any

from kafka.protocol.frame import KafkaBytes

from jobs.sources.kafka.connection.frame import Frame


def framed(kind: Any, version: int, **fields: Any) -> Frame:
    """A reply of that message class and version."""
    return raw(kind, version, bytes(kind(version=version, **fields).encode(version=version)))


def raw(kind: Any, version: int, content: bytes) -> Frame:
    """The bytes as a reply of that message class and version."""
    body = KafkaBytes(len(content))
    memoryview(body)[:] = content
    return Frame(kind[version], version, body)
