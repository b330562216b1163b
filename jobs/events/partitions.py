"""Partitions whose leader moved, whose ISR changed, that went offline or are being reassigned.

The subject is the partition, such as `orders-3`; `partitions_touched` is 1.
"""

from jobs.events.parts.event import EventKind, changed, events_of, happened, is_now, listed, was

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

_LEADER = was("leader"), is_now("leader")
_HAD_LEADER, _HAS_LEADER = (f"{leader} >= 0" for leader in _LEADER)
_ISR = listed(was("isr")), listed(is_now("isr"))
_ASSIGNED = listed(was("replicas")), listed(is_now("replicas"))
_MEMBERS_LEFT = f"len(list_filter({was('isr')}, lambda each: NOT list_contains({is_now('isr')}, each)))"
_MEMBERS_JOINED = f"len(list_filter({is_now('isr')}, lambda each: NOT list_contains({was('isr')}, each)))"
_MOVED_BEFORE, _MOVES_NOW = (f"len({then('adding')}) + len({then('removing')})" for then in (was, is_now))

EVENTS = events_of(
    "partitions_changes",
    subject="topic || '-' || partition",
    candidates=[
        happened(LEADER_MOVED, f"{changed('leader')} AND {_HAD_LEADER} AND {_HAS_LEADER}", *_LEADER),
        happened(OFFLINE, f"{changed('leader')} AND {_HAD_LEADER} AND NOT {_HAS_LEADER}", *_LEADER),
        happened(ONLINE, f"{changed('leader')} AND NOT {_HAD_LEADER} AND {_HAS_LEADER}", *_LEADER),
        happened(SHRANK, f"{changed('isr')} AND {_MEMBERS_LEFT} > 0", *_ISR),
        happened(GREW, f"{changed('isr')} AND {_MEMBERS_LEFT} = 0 AND {_MEMBERS_JOINED} > 0", *_ISR),
        happened(STARTED, f"{_MOVED_BEFORE} = 0 AND {_MOVES_NOW} > 0", *_ASSIGNED),
        happened(FINISHED, f"{_MOVED_BEFORE} > 0 AND {_MOVES_NOW} = 0", *_ASSIGNED),
    ],
    touched="1",
)
"""What each change of a partition's state was; new partitions are told by their topic."""
