"""Replicas on a broker's disk: `2 orders-3` in any of its log dirs, or `2 /var/kafka/d0/orders-3`."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from jobs.objects.parts.kind import ObjectKind, Row
from schemas.log_dirs import DISK_REPLICAS


def _chosen(words: Sequence[str]) -> Mapping[str, Any]:
    broker, place = words
    path, slash, dir_name = place.rpartition("/")
    return {"broker_id": int(broker), "dir_name": dir_name} | ({"path": path} if slash else {})


def _named(row: Row) -> str:
    return f"{row['broker_id']} {row['path']}/{row['dir_name']}"


def _subjects(row: Row) -> Iterable[str]:
    of_partition = (f"{row['topic']}-{row['partition']}", row["topic"]) if row["topic"] is not None else ()
    return (*of_partition, f"broker {row['broker_id']}")


KIND = ObjectKind(
    table=DISK_REPLICAS,
    words="BROKER_ID [LOG_DIR/]DIRECTORY",
    chosen=_chosen,
    named=_named,
    subjects=_subjects,
    touched="1",
    of_its_cluster=("topic_id", "metadata_modified_at", "leader_epochs"),
)
