"""What would happen if a broker went away."""

from schemas.table import Column, Kind, Table

WHATIF = Table(
    name="whatif",
    kind=Kind.STATE,
    meaning="what each registered broker's absence alone would do, by Kafka's own rules of election; topics that are being "
    "deleted are left out. varve whatif tells it partition by partition",
    key=("broker_id",),
    columns=(
        Column("broker_id", "INT", "the broker that goes away", required=True),
        Column(
            "partitions_offline", "INT", "partitions that have a leader and would have none", required=True
        ),
        Column(
            "partitions_unclean",
            "INT",
            "partitions that a replica outside the ISR would lead, so that acknowledged records may be lost",
            required=True,
        ),
        Column(
            "partitions_under_min_isr",
            "INT",
            "partitions with a leader that would refuse acks=all, or are under min ISR and would lose one more in-sync replica",
            required=True,
        ),
        Column(
            "partitions_at_min_isr",
            "INT",
            "partitions that would have exactly as many in-sync replicas as acks=all needs, and have more now",
            required=True,
        ),
        Column("leaders_moved", "INT", "partitions it leads that another broker would lead", required=True),
        Column(
            "partitions_unknown",
            "INT",
            "partitions with a replica on it that were not seen, or whose record is malformed",
            required=True,
        ),
    ),
)
