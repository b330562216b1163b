"""Partitions whose leader moved, whose ISR changed, that went offline or are being reassigned."""

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from jobs.events.parts.event import changed, events_of, happened, is_now, was


def events(partitions_changes: DataFrame) -> DataFrame:
    """What each change of a partition's state was; new partitions are told by their topic."""
    had_leader, has_leader = was("leader") >= 0, is_now("leader") >= 0
    left = F.size(F.array_except(was("isr"), is_now("isr")))
    joined = F.size(F.array_except(is_now("isr"), was("isr")))
    isr = (_text(was("isr")), _text(is_now("isr")))
    leader = (was("leader"), is_now("leader"))
    moving = (
        F.size(was("adding")) + F.size(was("removing")),
        F.size(is_now("adding")) + F.size(is_now("removing")),
    )
    replicas = (_text(was("replicas")), _text(is_now("replicas")))
    return events_of(
        partitions_changes,
        subject=F.concat_ws("-", "topic", "partition"),
        candidates=[
            happened("leader-moved", changed("leader") & had_leader & has_leader, *leader),
            happened("partition-offline", changed("leader") & had_leader & ~has_leader, *leader),
            happened("partition-online", changed("leader") & ~had_leader & has_leader, *leader),
            happened("isr-shrank", changed("isr") & (left > 0), *isr),
            happened("isr-grew", changed("isr") & (left == 0) & (joined > 0), *isr),
            happened("reassignment-started", (moving[0] == 0) & (moving[1] > 0), *replicas),
            happened("reassignment-finished", (moving[0] > 0) & (moving[1] == 0), *replicas),
        ],
        touched=F.lit(1),
    )


def _text(replicas: Column) -> Column:
    return F.array_join(replicas.cast("array<string>"), ",")
