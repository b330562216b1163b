"""What the brokers believe of the cluster, each by itself."""

from schemas.columns import BROKER_ID
from schemas.table import Column, Kind, Table

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
        BROKER_ID,
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
