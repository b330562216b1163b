"""When a partition had a leader and fewer in-sync replicas than it should."""

from jobs.timelines.parts.timeline import Timeline, spells
from schemas.table import Column

_UNDER_REPLICATED = """
SELECT cluster, topic, partition, valid_from, valid_to FROM partitions_history
WHERE leader >= 0 AND NOT list_has_all(coalesce(isr, replicas),
  list_filter(replicas, lambda each: NOT list_contains(coalesce(adding, []), each)))
"""

TIMELINE = Timeline(
    meaning="when a partition had a leader, and its ISR missed replicas that were not just being added; as the check "
    "under-replicated-partition, which tells partitions without a leader apart",
    columns=(
        Column("topic", "STRING", "topic name"),
        Column("partition", "INT", "partition number"),
        Column(
            "lacking_since",
            "TIMESTAMP",
            "when the snapshot that first saw it so was captured, or the lake's first",
        ),
        Column(
            "lacking_until",
            "TIMESTAMP",
            "when the snapshot was captured that saw the ISR whole, no leader or no partition; null while it lacks replicas",
        ),
    ),
    inputs=("partitions_history",),
    sql=spells(_UNDER_REPLICATED, ("cluster", "topic", "partition"), "lacking_since", "lacking_until"),
)
