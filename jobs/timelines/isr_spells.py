"""When a broker was out of the ISR of a partition that it is a replica of."""

from jobs.timelines.parts.timeline import Timeline, spells
from schemas.table import Column

_OUT = """
SELECT * EXCLUDE (isr) FROM (
  SELECT cluster, topic, partition, valid_from, valid_to, isr,
    unnest(list_filter(list_distinct(replicas), lambda each: NOT list_contains(coalesce(adding, []), each))) AS broker_id
  FROM partitions_history WHERE isr IS NOT NULL
)
WHERE NOT list_contains(isr, broker_id)
"""

TIMELINE = Timeline(
    meaning="when a broker was out of the ISR of a partition that it is a replica of and not just being added to; "
    "where the ISR is not known nothing is said",
    columns=(
        Column("topic", "STRING", "topic name"),
        Column("partition", "INT", "partition number"),
        Column("broker_id", "INT", "the broker that was out"),
        Column(
            "out_since",
            "TIMESTAMP",
            "when the snapshot that first saw it out was captured, or the lake's first",
        ),
        Column(
            "out_until",
            "TIMESTAMP",
            "when the snapshot was captured that saw it back, or no longer a replica; null while it is out",
        ),
    ),
    inputs=("partitions_history",),
    sql=spells(_OUT, ("cluster", "topic", "partition", "broker_id"), "out_since", "out_until"),
)
