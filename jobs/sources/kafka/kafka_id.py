"""Kafka's own writing of the 128-bit ids that kafka-python gives as UUIDs."""

from base64 import urlsafe_b64encode
from uuid import UUID


def kafka_id(value: UUID | str | None) -> str | None:
    """The id in Kafka's 22-character form (`org.apache.kafka.common.Uuid`); None for the zero id, which is none."""
    if value is None:
        return None
    uuid = UUID(str(value))
    return urlsafe_b64encode(uuid.bytes).decode().rstrip("=") if uuid.int else None
