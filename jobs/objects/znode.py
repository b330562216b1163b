"""Znodes, by their path below the chroot."""

from collections.abc import Iterable

from jobs.objects.parts.kind import ObjectKind, Row
from schemas.zookeeper import ZNODES


def _subjects(row: Row) -> Iterable[str]:
    """Whatever Kafka keeps at this path."""
    match row["path"].split("/")[1:]:
        case ["brokers", "ids", broker, *_] | ["config", "brokers", broker]:
            return (f"broker {broker}",)
        case ["brokers", "topics", topic, "partitions", partition, *_]:
            return (f"{topic}-{partition}", topic, "controller")
        case ["brokers" | "config", "topics", topic, *_] | ["admin", "delete_topics", topic]:
            return (topic,)
        case ["controller" | "controller_epoch"]:
            return ("controller",)
    return ()


KIND = ObjectKind(table=ZNODES, words="PATH", subjects=_subjects, is_aside=True)
