"""Brokers that were moved to another machine.

The subject is the broker (`broker 2`); `partitions_touched` is 0.
"""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from jobs.events.parts.event import EventKind, changed, events_of, happened, is_now, was

MOVED = EventKind(
    "broker-moved",
    "The broker runs on another machine.",
    from_value="name of the machine before",
    to_value="name of the machine now",
)


def events(hosts_changes: DataFrame) -> DataFrame:
    """A broker whose host is another one has moved."""
    return events_of(
        hosts_changes,
        subject=F.concat(F.lit("broker "), "broker_id"),
        candidates=[happened(MOVED, changed("host"), was("host"), is_now("host"))],
        touched=F.lit(0),
    )
