"""Partitions whose leader moved, whose ISR changed, that went offline or are being reassigned.

The subject is the partition, such as `orders-3`; `partitions_touched` is 1.
"""

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from jobs.events.parts.event import EventKind, changed, events_of, happened, is_now, was

_LEADERS = ("id of the leader before", "id of the leader now")
_ISRS = ("the ISR before", "the ISR now")
_REPLICAS = ("the assigned replicas before", "the assigned replicas now")

LEADER_MOVED = EventKind("leader-moved", "Another replica leads.", *_LEADERS)
OFFLINE = EventKind("partition-offline", "The partition has no leader any more.", _LEADERS[0], "-1")
ONLINE = EventKind("partition-online", "The partition has a leader again.", "-1", _LEADERS[1])
SHRANK = EventKind("isr-shrank", "Replicas left the ISR; others may have joined it.", *_ISRS)
GREW = EventKind("isr-grew", "Replicas joined the ISR, and none left it.", *_ISRS)
STARTED = EventKind("reassignment-started", "Replicas are being added or removed.", *_REPLICAS)
FINISHED = EventKind("reassignment-finished", "Replicas are no longer being added or removed.", *_REPLICAS)


def events(partitions_changes: DataFrame) -> DataFrame:
    """What each change of a partition's state was; new partitions are told by their topic."""
    had_leader, has_leader = was("leader") >= 0, is_now("leader") >= 0
    left = F.size(F.array_except(was("isr"), is_now("isr")))
    joined = F.size(F.array_except(is_now("isr"), was("isr")))
    leader = was("leader"), is_now("leader")
    isr = _listed(was("isr")), _listed(is_now("isr"))
    replicas = _listed(was("replicas")), _listed(is_now("replicas"))
    moved_before = F.size(was("adding")) + F.size(was("removing"))
    moves_now = F.size(is_now("adding")) + F.size(is_now("removing"))
    return events_of(
        partitions_changes,
        subject=F.concat_ws("-", "topic", "partition"),
        candidates=[
            happened(LEADER_MOVED, changed("leader") & had_leader & has_leader, *leader),
            happened(OFFLINE, changed("leader") & had_leader & ~has_leader, *leader),
            happened(ONLINE, changed("leader") & ~had_leader & has_leader, *leader),
            happened(SHRANK, changed("isr") & (left > 0), *isr),
            happened(GREW, changed("isr") & (left == 0) & (joined > 0), *isr),
            happened(STARTED, (moved_before == 0) & (moves_now > 0), *replicas),
            happened(FINISHED, (moved_before > 0) & (moves_now == 0), *replicas),
        ],
        touched=F.lit(1),
    )


def _listed(replicas: Column) -> Column:
    return F.array_join(replicas.cast("array<string>"), ",")
