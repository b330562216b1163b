"""Brokers that joined, left, were fenced, or bounced between two snapshots.

The subject is the broker, such as `broker 7`; `partitions_touched` counts the partitions it has a replica of.
"""

from collections.abc import Callable

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from jobs.events.parts.event import EventKind, changed, created, deleted, events_of, happened, is_now, was

JOINED = EventKind("broker-joined", "A broker registered, and is not fenced.", to_value="its endpoints")
LEFT = EventKind(
    "broker-left", "A broker that was not fenced is no longer registered.", from_value="its endpoints"
)
UNREGISTERED = EventKind(
    "broker-unregistered", "A fenced broker is no longer registered.", from_value="its endpoints"
)
BOUNCED = EventKind(
    "broker-bounced",
    "A broker went away and came back: it registered anew.",
    from_value="its epoch before",
    to_value="its epoch now",
)
FENCED = EventKind(
    "broker-fenced",
    "A registered broker was fenced: it is away, or still starting.",
    from_value="whether it was fenced, null where that was not known",
    to_value="true",
)
UNFENCED = EventKind(
    "broker-unfenced",
    "A fenced broker is not fenced any more.",
    from_value="true",
    to_value="whether it is fenced",
)


def events(brokers_changes: DataFrame, partitions: DataFrame) -> DataFrame:
    """A broker whose epoch changed was away and came back in between, even if no snapshot saw it gone.

    An epoch that is not known before or after says nothing: the Admin API has none. A registration in ZooKeeper, which
    has a session, counts its epochs otherwise than the quorum; who is registered there is not fenced. A fenced broker is
    registered, but away: it has not joined when it is first seen, and it does not leave when it is unregistered.
    """
    replicas = (
        partitions.select(F.explode("replicas").alias("broker_id"))
        .groupBy("broker_id")
        .agg(F.count("*").alias("held"))
    )
    endpoints = [F.array_join(then("endpoints"), ",") for then in (was, is_now)]
    epochs = was("epoch"), is_now("epoch")
    is_one_count = was("session").isNull() == is_now("session").isNull()
    fenced = was("fenced"), is_now("fenced")
    return events_of(
        brokers_changes.join(replicas, on="broker_id", how="left"),
        subject=F.concat(F.lit("broker "), "broker_id"),
        candidates=[
            happened(JOINED, created() & ~_fenced(is_now), after=endpoints[1]),
            happened(LEFT, deleted() & ~_fenced(was), before=endpoints[0]),
            happened(UNREGISTERED, deleted() & _fenced(was), before=endpoints[0]),
            happened(BOUNCED, is_one_count & (epochs[0] != epochs[1]), *epochs),
            happened(FENCED, changed("fenced") & is_now("fenced"), *fenced),
            happened(UNFENCED, changed("fenced") & was("fenced"), *fenced),
        ],
        touched=F.coalesce("held", F.lit(0)),
    )


def _fenced(then: Callable[[str], Column]) -> Column:
    return F.coalesce(then("fenced"), F.lit(False))
