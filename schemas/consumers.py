"""What consumers older than Kafka 0.9 keep in ZooKeeper."""

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
        Column("topic", "STRING", "topic name", required=True),
        Column("partition", "INT", "partition number", required=True),
        Column("committed_offset", "BIGINT", "committed offset"),
        PROBLEM,
    ),
)
