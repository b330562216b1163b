"""Raw state of topics and their partitions, as it is told over the Admin API."""

from schemas.columns import ELIGIBLE_LEADERS, PARTITION, TOPIC
from schemas.table import Column, Kind, Table

ADMIN_TOPICS = Table(
    name="admin_topics",
    kind=Kind.STATE,
    meaning="topics as the Admin API describes them",
    source="kafka",
    key=("topic",),
    scopes={"kafka": "/topics/{topic}"},
    columns=(
        TOPIC,
        Column("topic_id", "STRING", "topic id in Kafka's 22-character form; null when there is none"),
        Column("is_internal", "BOOLEAN", "internal to Kafka, such as __consumer_offsets"),
    ),
)

ADMIN_PARTITIONS = Table(
    name="admin_partitions",
    kind=Kind.STATE,
    meaning="partitions as the Admin API describes them",
    source="kafka",
    key=("topic", "partition"),
    scopes={"kafka": "/topics/{topic}"},
    columns=(
        TOPIC,
        PARTITION,
        Column("leader", "INT", "broker id of the leader, -1 for none", required=True),
        Column("leader_epoch", "INT", "leader epoch"),
        Column("replicas", "ARRAY<INT>", "assigned replicas, the preferred leader first", required=True),
        Column("isr", "ARRAY<INT>", "in-sync replicas", required=True),
        Column("offline_replicas", "ARRAY<INT>", "replicas whose broker or log dir is offline"),
        *ELIGIBLE_LEADERS,
    ),
)

ADMIN_REASSIGNMENTS = Table(
    name="admin_reassignments",
    kind=Kind.STATE,
    meaning="reassignments under way, as ListPartitionReassignments tells them (KIP-455)",
    source="kafka",
    key=("topic", "partition"),
    scopes={"kafka": "/reassignments"},
    columns=(
        TOPIC,
        PARTITION,
        Column("replicas", "ARRAY<INT>", "assigned replicas, old and new", required=True),
        Column("adding", "ARRAY<INT>", "replicas being added", required=True),
        Column("removing", "ARRAY<INT>", "replicas being removed", required=True),
    ),
)

ADMIN_OFFSETS = Table(
    name="admin_offsets",
    kind=Kind.SERIES,
    meaning="offsets of every partition that has a leader, as the leader tells a consumer (ListOffsets)",
    source="kafka",
    key=("topic", "partition"),
    scopes={"kafka": "/offsets/{leader}"},
    columns=(
        TOPIC,
        PARTITION,
        Column("leader", "INT", "broker that was asked, the leader by the cluster's metadata", required=True),
        Column("log_start", "BIGINT", "first offset that can be read"),
        Column(
            "high_watermark",
            "BIGINT",
            "end of what consumers can read: the offset after the last record that all in-sync replicas have",
        ),
        Column(
            "error",
            "STRING",
            "Kafka's error for this partition, such as NOT_LEADER_OR_FOLLOWER when it moved meanwhile; else null",
        ),
    ),
)
