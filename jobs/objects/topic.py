"""Topics."""

from jobs.objects.parts.kind import ObjectKind
from schemas.entities import TOPICS

KIND = ObjectKind(
    table=TOPICS,
    words="TOPIC",
    subjects=lambda row: (row["topic"], "controller"),
    touched="coalesce(state.partitions, 0)",
    of_its_cluster=("topic_id", "data_version", "czxid", "created_at", "modified_at"),
)
