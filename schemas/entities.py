"""Kafka's entities, typed: the same tables for ZooKeeper and KRaft clusters."""

from schemas.columns import BROKER_ID, ELIGIBLE_LEADERS, PARTITION, TOPIC
from schemas.table import PROBLEM, Column, Kind, Table

_REASSIGNMENTS = {"kafka": "/reassignments"}

BROKERS = Table(
    name="brokers",
    kind=Kind.STATE,
    meaning="registered brokers",
    inputs={
        "zookeeper": ("znodes",),
        "kafka": ("admin_brokers", "checkpoint_brokers", "metadata_checkpoints"),
    },
    key=("broker_id",),
    scopes={"zookeeper": "/brokers/ids/{broker_id}", "kafka": "/cluster/brokers/{broker_id}"},
    subtrees=("/brokers/ids",),
    columns=(
        BROKER_ID,
        Column("endpoints", "ARRAY<STRING>", "listeners as NAME://host:port; over the Admin API host:port"),
        Column("rack", "STRING", "broker.rack"),
        Column(
            "epoch",
            "BIGINT",
            "broker epoch: over ZooKeeper the czxid of its znode; null over the Admin API, except for a fenced broker that a checkpoint registers",
        ),
        Column("session", "BIGINT", "ZooKeeper session of the registration; null under KRaft"),
        Column("registered_at", "TIMESTAMP", "when it registered; null under KRaft"),
        Column(
            "fenced",
            "BOOLEAN",
            "registered but fenced; null over ZooKeeper, which has no fencing. Before Kafka 4.0 a fenced broker is known "
            "only from the newest checkpoint on the disks that are read; it may be an hour old, and the broker gone since",
        ),
        Column("version", "INT", "version of the registration's JSON, 1 to 5; null under KRaft"),
        Column("jmx_port", "INT", "JMX port of the registration, -1 for none; null under KRaft"),
        Column(
            "security_protocols",
            "ARRAY<STRUCT<listener: STRING, protocol: STRING>>",
            "security protocol of each listener, null where none is defined; null over the Admin API",
        ),
        Column(
            "features",
            "ARRAY<STRUCT<name: STRING, min_version: INT, max_version: INT>>",
            "features the broker supports, by name; null before version 5 and over the Admin API",
        ),
        PROBLEM,
    ),
)

CONTROLLERS = Table(
    name="controllers",
    kind=Kind.STATE,
    meaning="the active controller; one row, none while there is no controller",
    inputs={"zookeeper": ("znodes",), "kafka": ("quorum", "admin_cluster", "broker_settings")},
    key=(),
    scopes={"zookeeper": "/controller", "kafka": "/quorum/leader"},
    subtrees=("/controller", "/controller_epoch"),
    columns=(
        Column(
            "controller_id",
            "INT",
            "broker id, or node id under KRaft; -1 for none; null where brokers migrate to KRaft and nobody tells the quorum",
        ),
        Column(
            "epoch",
            "INT",
            "/controller_epoch, or the quorum leader's epoch under KRaft; null of a ZooKeeper-mode cluster over the Admin API",
            scopes={"zookeeper": "/controller_epoch"},
        ),
        Column("elected_at", "TIMESTAMP", "when it was elected; null under KRaft"),
        Column(
            "kraft_epoch",
            "INT",
            "kraftControllerEpoch of /controller: -1 while a broker rules, null before Kafka 3.4 and over the Admin API",
        ),
        PROBLEM,
    ),
)

TOPICS = Table(
    name="topics",
    kind=Kind.STATE,
    meaning="topics",
    inputs={"zookeeper": ("znodes",), "kafka": ("admin_topics", "admin_partitions", "admin_reassignments")},
    key=("topic",),
    scopes={"zookeeper": "/brokers/topics/{topic}", "kafka": "/topics/{topic}"},
    subtrees=("/brokers/topics", "/admin/delete_topics"),
    columns=(
        TOPIC,
        Column(
            "topic_id", "STRING", "topic id in Kafka's 22-character form; null when the cluster keeps none"
        ),
        Column("partitions", "INT", "number of partitions"),
        Column(
            "replication_factor",
            "INT",
            "replicas of partition 0, without those that a reassignment adds",
            scopes=_REASSIGNMENTS,
        ),
        Column(
            "znode_version",
            "INT",
            "version inside the znode's JSON, which tells who wrote it: 1 Kafka up to 2.3 or CMAK, 2 Kafka 2.4 to 2.7, 3 newer",
        ),
        Column("data_version", "INT", "the znode's dataVersion, the condition for a safe write"),
        Column("czxid", "BIGINT", "transaction that created the topic; a new one means it was recreated"),
        Column("created_at", "TIMESTAMP", "when the topic's znode was created"),
        Column("modified_at", "TIMESTAMP", "when the topic's znode was last written"),
        Column(
            "deletion_pending",
            "BOOLEAN",
            "marked for deletion in /admin/delete_topics; null over the Admin API",
            scopes={"zookeeper": "/admin/delete_topics"},
        ),
        PROBLEM,
    ),
)

PARTITIONS = Table(
    name="partitions",
    kind=Kind.STATE,
    meaning="partitions with their assignment, leader and in-sync replicas",
    inputs={"zookeeper": ("znodes",), "kafka": ("admin_partitions", "admin_reassignments")},
    key=("topic", "partition"),
    scopes={"zookeeper": "/brokers/topics/{topic}/partitions/{partition}/state", "kafka": "/topics/{topic}"},
    subtrees=("/brokers/topics",),
    columns=(
        TOPIC,
        PARTITION,
        Column("replicas", "ARRAY<INT>", "assigned replicas, the preferred leader first"),
        Column("adding", "ARRAY<INT>", "replicas being added by a reassignment", scopes=_REASSIGNMENTS),
        Column("removing", "ARRAY<INT>", "replicas being removed by a reassignment", scopes=_REASSIGNMENTS),
        Column("leader", "INT", "broker id of the leader, -1 for none; null before its first election"),
        Column("leader_epoch", "INT", "leader epoch"),
        Column("isr", "ARRAY<INT>", "in-sync replicas; null before the first election"),
        Column(
            "offline_replicas",
            "ARRAY<INT>",
            "replicas whose broker or log dir is offline; null over ZooKeeper, which does not know",
        ),
        *ELIGIBLE_LEADERS,
        Column("controller_epoch", "INT", "controller that wrote the state; null over the Admin API"),
        Column("partition_epoch", "INT", "dataVersion of the state znode; null over the Admin API"),
        Column("recovering", "BOOLEAN", "leader was elected unclean and is recovering; null when unknown"),
        PROBLEM,
    ),
)

CONFIGS = Table(
    name="configs",
    kind=Kind.STATE,
    meaning="configurations of topics and brokers that were set; defaults are left out",
    inputs={"zookeeper": ("znodes",), "kafka": ("admin_configs",)},
    key=("scope", "entity", "name"),
    scopes={"zookeeper": "/config/{scope}s/{entity}", "kafka": "/configs/{scope}/{entity}"},
    subtrees=("/config/topics", "/config/brokers"),
    columns=(
        Column("scope", "STRING", "what is configured", required=True, one_of=("topic", "broker")),
        Column(
            "entity",
            "STRING",
            "topic name, or broker id; <default> is every broker without a value of its own",
            required=True,
        ),
        Column("name", "STRING", "config key; empty when the entity's record is malformed", required=True),
        Column("value", "STRING", "value; null when it is sensitive"),
        Column(
            "fingerprint", "STRING", "keyed fingerprint of a sensitive value; changes when the value does"
        ),
        PROBLEM,
    ),
)
