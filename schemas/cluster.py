"""Facts of the cluster as a whole: its id, its features, the ids it has given out, its migration."""

from schemas.table import PROBLEM, Column, Kind, Table

CLUSTER_ID = Table(
    name="cluster_id",
    kind=Kind.STATE,
    meaning="Kafka's own id of the cluster; one row",
    inputs={"zookeeper": ("znodes",), "kafka": ("admin_cluster",)},
    key=(),
    scopes={"zookeeper": "/cluster/id", "kafka": "/cluster"},
    subtrees=("/cluster/id",),
    columns=(
        Column("cluster_id", "STRING", "the id as the cluster tells it; brokers compare it as text"),
        PROBLEM,
    ),
)

FEATURES = Table(
    name="features",
    kind=Kind.STATE,
    meaning="finalized features (KIP-584)",
    inputs={"zookeeper": ("znodes",), "kafka": ("admin_features",)},
    key=("feature",),
    scopes={"zookeeper": "/feature", "kafka": "/features/{feature}"},
    subtrees=("/feature",),
    columns=(
        Column(
            "feature",
            "STRING",
            "name of the feature, such as metadata.version; empty when the record is malformed",
            required=True,
        ),
        Column("level", "INT", "finalized level, max_version_level"),
        Column("min_level", "INT", "finalized min_version_level; null in version 2 of the znode"),
        PROBLEM,
    ),
)

GENERATED_BROKER_IDS = Table(
    name="generated_broker_ids",
    kind=Kind.STATE,
    meaning="how many broker ids ZooKeeper has given out; one row",
    inputs={"zookeeper": ("znodes",)},
    key=(),
    scopes={"zookeeper": "/brokers/seqid"},
    subtrees=("/brokers/seqid",),
    columns=(
        Column(
            "generated",
            "INT",
            "dataVersion of /brokers/seqid; the newest generated id is this plus reserved.broker.max.id",
            required=True,
        ),
        PROBLEM,
    ),
)

PRODUCER_ID_BLOCK = Table(
    name="producer_id_block",
    kind=Kind.STATE,
    meaning="the newest block of producer ids given to a broker; at most one row",
    inputs={"zookeeper": ("znodes",)},
    key=(),
    scopes={"zookeeper": "/latest_producer_id_block"},
    subtrees=("/latest_producer_id_block",),
    columns=(
        Column("broker_id", "INT", "broker that has it, -1 when a KRaft controller wrote it"),
        Column("block_start", "BIGINT", "first producer id of the block"),
        Column("block_end", "BIGINT", "last producer id of the block, inclusive"),
        PROBLEM,
    ),
)

MIGRATION = Table(
    name="migration",
    kind=Kind.STATE,
    meaning="how far a migration to KRaft is (KIP-866); one row from the start of the first migrating controller on",
    inputs={"zookeeper": ("znodes",)},
    key=(),
    scopes={"zookeeper": "/migration"},
    subtrees=("/migration",),
    columns=(
        Column("controller_id", "INT", "node id of the KRaft controller that wrote it last"),
        Column("controller_epoch", "INT", "epoch of that controller"),
        Column(
            "metadata_offset", "BIGINT", "offset of the KRaft metadata that ZooKeeper reflects, inclusive"
        ),
        Column("metadata_epoch", "INT", "epoch of that offset"),
        Column("is_copied", "BOOLEAN", "the first copy from ZooKeeper to KRaft is done: metadata_offset > 0"),
        PROBLEM,
    ),
)
