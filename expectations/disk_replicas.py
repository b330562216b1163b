"""What Kafka promises of the replica directories on a broker's disks."""

from expectations.rule import no_row_where, unique
from schemas.judgement import Severity

_EPOCHS = "transform(leader_epochs, line -> line.epoch)"
_OFFSETS = "transform(leader_epochs, line -> line.start_offset)"

RULES = (
    unique(
        ("broker_id", "topic", "partition"),
        "a broker has one current directory for a partition",
        among="kind = 'current' AND topic IS NOT NULL",
    ),
    no_row_where("topic_id NOT RLIKE '^[A-Za-z0-9_-]{22}$'", "topic_id is 22 characters when present"),
    no_row_where(
        f"{_EPOCHS} != array_sort(array_distinct({_EPOCHS}))", "leader epochs rise", Severity.WARNING
    ),
    no_row_where(
        f"{_OFFSETS} != array_sort({_OFFSETS})",
        "start offsets of leader epochs do not fall",
        Severity.WARNING,
    ),
)
