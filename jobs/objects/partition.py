"""Partitions, such as `orders-3`."""

from collections.abc import Iterable

from jobs.objects.parts.kind import ObjectKind, Row
from jobs.objects.parts.partitions import partition_in
from schemas.entities import PARTITIONS


def _named(row: Row) -> str:
    return f"{row['topic']}-{row['partition']}"


def _subjects(row: Row) -> Iterable[str]:
    """Its topic, and the brokers that hold it: their coming and going moves its leader and its ISR."""
    return (
        _named(row),
        row["topic"],
        *(f"broker {broker}" for broker in row["replicas"] or ()),
        "controller",
    )


KIND = ObjectKind(
    table=PARTITIONS,
    words="TOPIC-PARTITION",
    chosen=partition_in,
    named=_named,
    subjects=_subjects,
    touched="1",
    of_its_cluster=("leader_epoch", "controller_epoch", "partition_epoch"),
)
