"""Brokers that joined, left, were fenced, or bounced between two snapshots."""

from collections.abc import Callable

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from jobs.events.parts.event import changed, created, deleted, events_of, happened, is_now, nothing, was


def events(brokers_changes: DataFrame, partitions: DataFrame) -> DataFrame:
    """A broker whose epoch changed was away and came back in between, even if no snapshot saw it gone.

    An epoch that is not known before or after says nothing: the Admin API has none. A fenced broker is registered,
    but away: it has not joined when it is first seen, and it does not leave when it is unregistered.
    """
    replicas = (
        partitions.select(F.explode("replicas").alias("broker_id"))
        .groupBy("broker_id")
        .agg(F.count("*").alias("held"))
    )
    return events_of(
        brokers_changes.join(replicas, on="broker_id", how="left"),
        subject=F.concat(F.lit("broker "), "broker_id"),
        candidates=[
            happened(
                "broker-joined",
                created() & ~_fenced(is_now),
                nothing(),
                F.array_join(is_now("endpoints"), ","),
            ),
            happened(
                "broker-left", deleted() & ~_fenced(was), F.array_join(was("endpoints"), ","), nothing()
            ),
            happened(
                "broker-unregistered",
                deleted() & _fenced(was),
                F.array_join(was("endpoints"), ","),
                nothing(),
            ),
            happened("broker-bounced", was("epoch") != is_now("epoch"), was("epoch"), is_now("epoch")),
            happened("broker-fenced", changed("fenced") & is_now("fenced"), was("fenced"), is_now("fenced")),
            happened("broker-unfenced", changed("fenced") & was("fenced"), was("fenced"), is_now("fenced")),
        ],
        touched=F.coalesce("held", F.lit(0)),
    )


def _fenced(then: Callable[[str], Column]) -> Column:
    return F.coalesce(then("fenced"), F.lit(False))
