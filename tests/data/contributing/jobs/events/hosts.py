"""Brokers that were moved to another machine."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from jobs.events.parts.event import changed, events_of, happened, is_now, was


def events(hosts_changes: DataFrame) -> DataFrame:
    """A broker whose host is another one has moved."""
    return events_of(
        hosts_changes,
        subject=F.concat(F.lit("broker "), "broker_id"),
        candidates=[happened("broker-moved", changed("host"), was("host"), is_now("host"))],
        touched=F.lit(0),
    )
