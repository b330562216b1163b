"""What Kafka promises of every topic."""

from expectations.rule import no_row_where
from schemas.judgement import Severity

RULES = (
    no_row_where("topic_id NOT RLIKE '^[A-Za-z0-9_-]{22}$'", "topic_id is 22 characters when present"),
    no_row_where(
        "topic NOT RLIKE '^[A-Za-z0-9._-]{1,249}$'", "topic is a name that Kafka accepts", Severity.WARNING
    ),
    no_row_where("partitions < 1", "there is at least one partition", Severity.WARNING),
    no_row_where("replication_factor < 1", "there is at least one replica", Severity.WARNING),
)
