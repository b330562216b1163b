"""Raw state of a cluster as a whole, as it is told over the Admin API."""

from schemas.columns import BROKER_ID
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
        BROKER_ID,
        Column("host", "STRING", "advertised host of the listener that was asked"),
        Column("port", "INT", "advertised port of the listener that was asked"),
        Column("rack", "STRING", "broker.rack"),
        Column("fenced", "BOOLEAN", "registered but fenced; null where the cluster cannot tell (before 4.0)"),
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
