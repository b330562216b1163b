"""What consumers older than Kafka 0.9 keep in ZooKeeper."""

from schemas.columns import PARTITION, TOPIC
from schemas.table import PROBLEM, Column, Kind, Table

LEGACY_OFFSETS = Table(
    name="legacy_offsets",
    kind=Kind.STATE,
    meaning="offsets that old consumers committed to ZooKeeper",
    inputs={"zookeeper": ("znodes",)},
    key=("group_id", "topic", "partition"),
    scopes={"zookeeper": "/consumers/{group_id}/offsets/{topic}/{partition}"},
    subtrees=("/consumers",),
    columns=(
        Column("group_id", "STRING", "consumer group", required=True),
        TOPIC,
        PARTITION,
        Column("committed_offset", "BIGINT", "committed offset"),
        PROBLEM,
    ),
)
