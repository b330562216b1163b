"""Whom a broker takes for the leader where another broker does not: `3 orders-0`, or `3` for all that it sees otherwise."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from jobs.objects.parts.kind import ObjectKind, Row
from jobs.objects.parts.partitions import partition_in
from schemas.broker_views import BROKER_VIEWS


def _chosen(words: Sequence[str]) -> Mapping[str, Any]:
    broker, *partition = words
    return {"broker_id": int(broker), **(partition_in(partition) if partition else {})}


def _named(row: Row) -> str:
    return " ".join([str(row["broker_id"]), *_partition(row)])


def _subjects(row: Row) -> Iterable[str]:
    return (*_partition(row), f"broker {row['broker_id']}", "controller")


def _partition(row: Row) -> list[str]:
    return [] if row["topic"] is None else [f"{row['topic']}-{row['partition']}"]


KIND = ObjectKind(
    table=BROKER_VIEWS,
    words="BROKER_ID [TOPIC-PARTITION]",
    chosen=_chosen,
    named=_named,
    subjects=_subjects,
    touched="CASE WHEN state.topic IS NULL THEN 0 ELSE 1 END",
    of_its_cluster=("leader_epoch", "reference_id", "reference_leader_epoch", "compared"),
    is_aside=True,
)
