"""Requests to the cluster that are under way, and the notifications that changes leave behind."""

from schemas.columns import PARTITION, TOPIC
from schemas.table import PROBLEM, Column, Kind, Table

_ZNODE = Column("znode", "STRING", "znode that holds it", required=True)

REASSIGNMENTS = Table(
    name="reassignments",
    kind=Kind.STATE,
    meaning="partitions whose replicas are being moved",
    inputs={"zookeeper": ("znodes",), "kafka": ("admin_reassignments",)},
    key=("topic", "partition"),
    scopes={"zookeeper": "/brokers/topics/{topic}", "kafka": "/reassignments"},
    subtrees=("/brokers/topics",),
    columns=(
        TOPIC,
        PARTITION,
        Column(
            "replicas", "ARRAY<INT>", "assigned replicas, old and new; the target is these less `removing`"
        ),
        Column("adding", "ARRAY<INT>", "replicas being added"),
        Column("removing", "ARRAY<INT>", "replicas being removed"),
        PROBLEM,
    ),
)

PENDING_REQUESTS = Table(
    name="pending_requests",
    kind=Kind.STATE,
    meaning="requests to a ZooKeeper-mode controller that are not done yet",
    inputs={"zookeeper": ("znodes",)},
    key=("request", "topic", "partition"),
    scopes={"zookeeper": "{znode}"},
    subtrees=("/admin",),
    columns=(
        Column(
            "request",
            "STRING",
            "what was asked, by the name of its znode in /admin",
            required=True,
            one_of=("delete_topics", "reassign_partitions", "preferred_replica_election"),
        ),
        Column("topic", "STRING", "topic name; null when the request is malformed"),
        Column("partition", "INT", "partition number; null when the request is for a whole topic"),
        Column("replicas", "ARRAY<INT>", "replicas asked for; of a reassignment only"),
        _ZNODE,
        PROBLEM,
    ),
)

CHANGE_NOTIFICATIONS = Table(
    name="change_notifications",
    kind=Kind.STATE,
    meaning="notifications in ZooKeeper; Kafka leaves them until another one comes 15 minutes later, or a failover",
    inputs={"zookeeper": ("znodes",)},
    key=("znode",),
    scopes={"zookeeper": "{znode}"},
    subtrees=(
        "/config/changes",
        "/isr_change_notification",
        "/log_dir_event_notification",
        "/kafka-acl-changes",
        "/kafka-acl-extended-changes",
        "/delegation_token/token_changes",
    ),
    columns=(
        _ZNODE,
        Column(
            "kind",
            "STRING",
            "what changed",
            required=True,
            one_of=("config", "isr", "log_dir", "acl", "extended_acl", "token"),
        ),
        Column("sequence", "BIGINT", "number that ZooKeeper gave it", required=True),
        Column(
            "subject",
            "STRING",
            "entity path, partitions, broker or resource it is about; the fingerprint of a token's id",
        ),
        Column("created_at", "TIMESTAMP", "when it was made", required=True),
        PROBLEM,
    ),
)
