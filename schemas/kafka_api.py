"""Raw state of what a cluster says over the Kafka protocol: its Admin API and its metadata quorum."""

from schemas.table import Column, Kind, Table

ADMIN_CLUSTER = Table(
    name="admin_cluster",
    kind=Kind.STATE,
    meaning="what DescribeCluster says of the cluster itself; one row",
    source="kafka",
    key=(),
    scopes={"kafka": "/cluster"},
    columns=(
        Column("cluster_id", "STRING", "Kafka's own cluster id"),
        Column(
            "controller_id",
            "INT",
            "controller by DescribeCluster; under KRaft a random broker, trust `quorum`",
        ),
    ),
)

ADMIN_BROKERS = Table(
    name="admin_brokers",
    kind=Kind.STATE,
    meaning="brokers as DescribeCluster lists them",
    source="kafka",
    key=("broker_id",),
    scopes={"kafka": "/cluster/brokers/{broker_id}"},
    columns=(
        Column("broker_id", "INT", "broker id", required=True),
        Column("host", "STRING", "advertised host of the listener that was asked"),
        Column("port", "INT", "advertised port of the listener that was asked"),
        Column("rack", "STRING", "broker.rack"),
        Column("fenced", "BOOLEAN", "registered but fenced; null where the cluster cannot tell (before 4.0)"),
    ),
)

ADMIN_TOPICS = Table(
    name="admin_topics",
    kind=Kind.STATE,
    meaning="topics as the Admin API describes them",
    source="kafka",
    key=("topic",),
    scopes={"kafka": "/topics/{topic}"},
    columns=(
        Column("topic", "STRING", "topic name", required=True),
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
        Column("topic", "STRING", "topic name", required=True),
        Column("partition", "INT", "partition number", required=True),
        Column("leader", "INT", "broker id of the leader, -1 for none", required=True),
        Column("leader_epoch", "INT", "leader epoch"),
        Column("replicas", "ARRAY<INT>", "assigned replicas, the preferred leader first", required=True),
        Column("isr", "ARRAY<INT>", "in-sync replicas", required=True),
        Column("offline_replicas", "ARRAY<INT>", "replicas whose broker or log dir is offline"),
    ),
)

ADMIN_CONFIGS = Table(
    name="admin_configs",
    kind=Kind.STATE,
    meaning="configurations that were set by somebody, as DescribeConfigs tells them; defaults are left out",
    source="kafka",
    key=("scope", "entity", "name"),
    scopes={"kafka": "/configs/{scope}/{entity}"},
    columns=(
        Column("scope", "STRING", "what is configured", required=True, one_of=("topic", "broker")),
        Column("entity", "STRING", "topic name, or broker id", required=True),
        Column("name", "STRING", "config key", required=True),
        Column("value", "STRING", "value; null when it is sensitive"),
        Column("is_sensitive", "BOOLEAN", "Kafka does not show the value", required=True),
        Column("config_source", "STRING", "where Kafka took the value from, such as DYNAMIC_TOPIC_CONFIG"),
    ),
)

QUORUM = Table(
    name="quorum",
    kind=Kind.STATE,
    meaning="the KRaft metadata quorum: who leads it and since which epoch; one row",
    source="kafka",
    key=(),
    scopes={"kafka": "/quorum"},
    columns=(
        Column("leader_id", "INT", "node id of the leader, -1 for none", required=True),
        Column("leader_epoch", "INT", "epoch of the leader", required=True),
    ),
)

QUORUM_MEMBERS = Table(
    name="quorum_members",
    kind=Kind.STATE,
    meaning="voters and observers of the metadata quorum as its leader remembers them",
    source="kafka",
    key=("node_id", "directory_id"),
    scopes={"kafka": "/quorum"},
    columns=(
        Column("node_id", "INT", "node id", required=True),
        Column("directory_id", "STRING", "directory id in Kafka's 22-character form; null before Kafka 3.9"),
        Column("role", "STRING", "voter or observer", required=True, one_of=("voter", "observer")),
        Column("endpoints", "ARRAY<STRING>", "listeners as NAME://host:port, known for voters only"),
    ),
)

QUORUM_PROGRESS = Table(
    name="quorum_progress",
    kind=Kind.SERIES,
    meaning="how far each member of the metadata quorum is; times are the leader's clock",
    source="kafka",
    key=("node_id", "directory_id"),
    scopes={"kafka": "/quorum"},
    columns=(
        Column("node_id", "INT", "node id", required=True),
        Column("directory_id", "STRING", "directory id in Kafka's 22-character form; null before Kafka 3.9"),
        Column("high_watermark", "BIGINT", "high watermark of the metadata log, -1 until it is known"),
        Column(
            "log_end_offset", "BIGINT", "end of the member's log, -1 when it never fetched from this leader"
        ),
        Column("lag", "BIGINT", "the leader's log end offset less the member's; null when one is unknown"),
        Column("last_fetch_at", "TIMESTAMP", "last fetch of the member; null when unknown"),
        Column("last_caught_up_at", "TIMESTAMP", "when the member last had everything; null when unknown"),
    ),
)
