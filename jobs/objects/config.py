"""Configurations of topics and brokers: `topic orders retention.ms`, or `topic orders` for all that the topic has."""

from jobs.objects.parts.kind import ObjectKind
from schemas.entities import CONFIGS

_PARTITIONS = "SELECT coalesce(max(t.partitions), 0) FROM topics AS t WHERE t.cluster = state.cluster AND t.topic = state.entity"

KIND = ObjectKind(
    table=CONFIGS,
    words="topic|broker ENTITY [CONFIG]",
    subjects=lambda row: (row["entity"] if row["scope"] == "topic" else f"broker {row['entity']}",),
    touched=f"CASE WHEN state.scope = 'topic' THEN ({_PARTITIONS}) ELSE 0 END",
    of_its_cluster=("fingerprint",),
)
