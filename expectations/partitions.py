"""What Kafka promises of every partition's assignment and state."""

from expectations.rule import no_row_where
from schemas.judgement import Severity

RULES = (
    no_row_where("leader >= 0 AND NOT array_contains(isr, leader)", "leader is none or in isr"),
    no_row_where("size(array_except(isr, replicas)) > 0", "isr is a subset of replicas", Severity.WARNING),
    no_row_where("size(replicas) = 0", "replicas are not empty"),
    no_row_where("size(array_distinct(replicas)) < size(replicas)", "replicas have no duplicates"),
    no_row_where("partition < 0", "partition is not negative"),
)
