"""What Kafka promises of every reassignment under way (KIP-455)."""

from expectations.rule import no_row_where

RULES = (
    no_row_where("size(array_except(adding, replicas)) > 0", "adding is a subset of replicas"),
    no_row_where("size(array_except(removing, replicas)) > 0", "removing is a subset of replicas"),
    no_row_where("size(array_except(replicas, removing)) = 0", "some replica stays"),
)
