"""Brokers, by their id."""

from jobs.objects.parts.kind import ObjectKind
from schemas.entities import BROKERS

KIND = ObjectKind(
    table=BROKERS,
    words="BROKER_ID",
    subjects=lambda row: (f"broker {row['broker_id']}", f"node {row['broker_id']}", "controller"),
    touched="(SELECT count(*) FROM partitions AS p WHERE p.cluster = state.cluster AND list_contains(p.replicas, state.broker_id))",
    of_its_cluster=("epoch", "session", "registered_at"),
)
