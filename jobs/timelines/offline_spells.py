"""When a partition had no leader."""

from jobs.timelines.parts.timeline import Timeline, spells
from schemas.table import Column

_OFFLINE = "SELECT cluster, topic, partition, valid_from, valid_to FROM partitions_history WHERE leader = -1"

TIMELINE = Timeline(
    meaning="when a partition had no leader; one that waits for its first election is not counted",
    columns=(
        Column("topic", "STRING", "topic name"),
        Column("partition", "INT", "partition number"),
        Column(
            "offline_since",
            "TIMESTAMP",
            "when the snapshot that first saw it offline was captured, or the lake's first",
        ),
        Column(
            "offline_until",
            "TIMESTAMP",
            "when the snapshot was captured that saw a leader again, or no partition; null while it is offline",
        ),
    ),
    inputs=("partitions_history",),
    sql=spells(_OFFLINE, ("cluster", "topic", "partition"), "offline_since", "offline_until"),
)
