"""Raw state of a cluster as it is told over the Admin API."""

from schemas.table import Column, Kind, Table

ELIGIBLE_LEADERS = (
    Column(
        "eligible_leader_replicas",
        "ARRAY<INT>",
        "replicas outside the ISR that hold all acknowledged records (KIP-966); null where the source does not tell",
    ),
    Column(
        "last_known_elr",
        "ARRAY<INT>",
        "eligible leader replicas that were removed after an unclean shutdown; null where the source does not tell",
    ),
)

_BROKER = Column("broker_id", "INT", "broker id", required=True)
_PATH = Column("path", "STRING", "log dir, one entry of the broker's log.dirs", required=True)
_LOG_DIR_SCOPES = {"kafka": "/log_dirs/{broker_id}"}

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
            "controller by DescribeCluster; null under KRaft, where a broker names any living broker: the table `quorum_members` has the leader",
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
        *ELIGIBLE_LEADERS,
    ),
)

ADMIN_CONFIGS = Table(
    name="admin_configs",
    kind=Kind.STATE,
    meaning="configurations that were set, as DescribeConfigs tells them; defaults are left out",
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

BROKER_SETTINGS = Table(
    name="broker_settings",
    kind=Kind.STATE,
    meaning="the configs that decide how partitions fare, as they are in force on each broker: set, static or default "
    "(DescribeConfigs). A topic's own config comes before them. Under KRaft the controllers rebalance leaders by their own "
    "properties files, which no API shows",
    source="kafka",
    key=("broker_id", "name"),
    scopes={"kafka": "/configs/broker/{broker_id}"},
    columns=(
        Column("broker_id", "INT", "broker id", required=True),
        Column("name", "STRING", "config key, such as min.insync.replicas", required=True),
        Column("value", "STRING", "value that the broker goes by"),
        Column(
            "source",
            "STRING",
            "where the broker has it from: DYNAMIC_BROKER_CONFIG, DYNAMIC_DEFAULT_BROKER_CONFIG, STATIC_BROKER_CONFIG "
            "(its properties file) or DEFAULT_CONFIG; null when a newer Kafka names another",
        ),
    ),
)

ADMIN_LOG_DIRS = Table(
    name="admin_log_dirs",
    kind=Kind.STATE,
    meaning="log dirs as each broker itself describes them (DescribeLogDirs, KIP-113)",
    source="kafka",
    key=("broker_id", "path"),
    scopes=_LOG_DIR_SCOPES,
    columns=(
        _BROKER,
        _PATH,
        Column(
            "error",
            "STRING",
            "Kafka's error: KAFKA_STORAGE_ERROR when the broker has taken the log dir offline, UNKNOWN_SERVER_ERROR when it cannot "
            "look at it, as before it notices; null while it is fine",
        ),
    ),
)

ADMIN_LOG_DIR_SPACE = Table(
    name="admin_log_dir_space",
    kind=Kind.SERIES,
    meaning="room on the volume of each log dir (KIP-827); no row before Kafka 3.3 and for an offline log dir",
    source="kafka",
    key=("broker_id", "path"),
    scopes=_LOG_DIR_SCOPES,
    columns=(
        _BROKER,
        _PATH,
        Column("total_bytes", "BIGINT", "size of the volume"),
        Column("usable_bytes", "BIGINT", "bytes that the broker may still write"),
    ),
)

ADMIN_REPLICA_SIZES = Table(
    name="admin_replica_sizes",
    kind=Kind.SERIES,
    meaning="replicas on the online log dirs of each broker, as it describes them itself",
    source="kafka",
    key=("broker_id", "path", "topic", "partition"),
    scopes=_LOG_DIR_SCOPES,
    columns=(
        _BROKER,
        _PATH,
        Column("topic", "STRING", "topic name", required=True),
        Column("partition", "INT", "partition number", required=True),
        Column(
            "is_future", "BOOLEAN", "target of a move between log dirs, not yet the replica", required=True
        ),
        Column("bytes", "BIGINT", "bytes of the log's segments, without their indexes"),
        Column(
            "offset_lag",
            "BIGINT",
            "records that the end of the log is behind the high watermark as this broker knows it; of a future replica, "
            "behind the end of the current one; null when unknown",
        ),
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
        Column("topic", "STRING", "topic name", required=True),
        Column("partition", "INT", "partition number", required=True),
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

BROKER_VIEWS = Table(
    name="broker_views",
    kind=Kind.STATE,
    meaning="whom each broker takes for the leaders, where it differs from one of them, the reference: the controller, or "
    "under KRaft the broker of the lowest id. One row without a topic for each broker that was asked, and one for each "
    "partition that differs, the first 1,000 of a broker",
    source="kafka",
    key=("broker_id", "topic", "partition"),
    scopes={"kafka": "/views/{broker_id}"},
    columns=(
        _BROKER,
        Column("topic", "STRING", "topic name; null in the row that says that the broker was asked"),
        Column("partition", "INT", "partition number"),
        Column(
            "leader",
            "INT",
            "leader by this broker, -1 for none; null when it does not know the partition",
        ),
        Column("leader_epoch", "INT", "leader epoch by this broker; the higher one is the newer one"),
        Column("reference_id", "INT", "broker that it is compared with; itself where it is the reference"),
        Column(
            "reference_leader", "INT", "leader by the reference; null when it does not know the partition"
        ),
        Column("reference_leader_epoch", "INT", "leader epoch by the reference"),
        Column("compared", "INT", "partitions that were compared; null in the row of a partition"),
        Column("differing", "INT", "partitions that differ; null in the row of a partition"),
    ),
)

ADMIN_FEATURES = Table(
    name="admin_features",
    kind=Kind.STATE,
    meaning="finalized features of the cluster, as ApiVersions tells them (KIP-584)",
    source="kafka",
    key=("feature",),
    scopes={"kafka": "/features/{feature}"},
    columns=(
        Column("feature", "STRING", "name of the feature, such as metadata.version", required=True),
        Column("level", "INT", "finalized level, max_version_level", required=True),
        Column("min_level", "INT", "finalized min_version_level", required=True),
    ),
)

ADMIN_ACLS = Table(
    name="admin_acls",
    kind=Kind.STATE,
    meaning="access control entries as DescribeAcls tells them",
    source="kafka",
    key=("resource_type", "pattern_type", "resource_name", "principal", "host", "operation", "permission"),
    scopes={"kafka": "/acls"},
    columns=(
        Column(
            "resource_type", "STRING", "kind of resource in Kafka's writing: Topic, Group …", required=True
        ),
        Column(
            "pattern_type", "STRING", "literal or prefixed", required=True, one_of=("literal", "prefixed")
        ),
        Column("resource_name", "STRING", "name or prefix of the resource", required=True),
        Column("principal", "STRING", "who, such as User:alice", required=True),
        Column("host", "STRING", "from where, * for anywhere", required=True),
        Column("operation", "STRING", "what: Read, Write, DescribeConfigs …", required=True),
        Column("permission", "STRING", "Allow or Deny", required=True, one_of=("Allow", "Deny")),
    ),
)

ADMIN_QUOTAS = Table(
    name="admin_quotas",
    kind=Kind.STATE,
    meaning="client quotas as DescribeClientQuotas tells them (KIP-546)",
    source="kafka",
    key=("user", "client_id", "ip", "name"),
    scopes={"kafka": "/quotas"},
    columns=(
        Column(
            "user",
            "STRING",
            "user that it limits; <default> is every user without one of their own; null when it limits no user",
        ),
        Column(
            "client_id",
            "STRING",
            "client that it limits; <default> is every client without one of its own; null when it limits no client",
        ),
        Column(
            "ip",
            "STRING",
            "address that it limits; <default> is every address without one of its own; null when it limits no address",
        ),
        Column("name", "STRING", "quota's name, such as producer_byte_rate", required=True),
        Column("value", "DOUBLE", "bytes a second, percent or connections a second", required=True),
    ),
)

ADMIN_SCRAM_CREDENTIALS = Table(
    name="admin_scram_credentials",
    kind=Kind.STATE,
    meaning="which users have SCRAM credentials, as DescribeUserScramCredentials tells it (KIP-554)",
    source="kafka",
    key=("user", "mechanism"),
    scopes={"kafka": "/scram_credentials/{user}"},
    columns=(
        Column("user", "STRING", "user name", required=True),
        Column("mechanism", "STRING", "SCRAM-SHA-256 or SCRAM-SHA-512", required=True),
        Column("iterations", "INT", "iterations of the credential's hash", required=True),
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
        Column("topic", "STRING", "topic name", required=True),
        Column("partition", "INT", "partition number", required=True),
        Column("replicas", "ARRAY<INT>", "assigned replicas, old and new", required=True),
        Column("adding", "ARRAY<INT>", "replicas being added", required=True),
        Column("removing", "ARRAY<INT>", "replicas being removed", required=True),
    ),
)
