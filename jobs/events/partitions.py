"""Partitions whose leader moved, whose ISR or assignment changed, that went offline or are being reassigned.

The subject is the partition, such as `orders-3`; `partitions_touched` is 1.
"""

from jobs.events.parts.event import EventKind, changed, events_of, happened, is_now, listed, was
from jobs.events.parts.leaders import FATES, IS_UNCLEAN, WHY_MOVED, WHY_OFFLINE
from jobs.events.parts.lives import RECREATED

_LEADERS = ("id of the leader before", "id of the leader now")
_ISRS = ("the ISR before", "the ISR now")
_REPLICAS = ("the assigned replicas before", "the assigned replicas now")

LEADER_MOVED = EventKind("leader-moved", "Another replica leads.", *_LEADERS)
UNCLEAN = EventKind(
    "leader-elected-unclean",
    "A replica leads that was neither in the ISR nor eligible: what only the ISR had is lost. Told where nothing else can "
    "have happened: the ISR cannot have grown in between, or the state says that it is recovering.",
    "the ISR before",
    _LEADERS[1],
)
OFFLINE = EventKind("partition-offline", "The partition has no leader any more.", _LEADERS[0], "-1")
ONLINE = EventKind("partition-online", "The partition has a leader again.", "-1", _LEADERS[1])
SHRANK = EventKind(
    "isr-shrank", "Replicas left the ISR that are still assigned; others may have joined it.", *_ISRS
)
GREW = EventKind(
    "isr-grew",
    "Replicas joined the ISR that were assigned before, and none that is assigned left it.",
    *_ISRS,
)
ASSIGNMENT_CHANGED = EventKind(
    "assignment-changed", "The partition has other replicas, or the same in another order.", *_REPLICAS
)
STARTED = EventKind(
    "reassignment-started",
    "Replicas are being added or removed.",
    _REPLICAS[0],
    "the replicas it is to have",
)
FINISHED = EventKind(
    "reassignment-finished",
    "Replicas are no longer being added or removed: that is done, or was cancelled.",
    "the assigned replicas before, those being added and removed among them",
    _REPLICAS[1],
)

_LEADER = was("leader"), is_now("leader")
_HAD_LEADER, _HAS_LEADER = (f"{leader} >= 0" for leader in _LEADER)
_ISR = listed(was("isr")), listed(is_now("isr"))
_ARE_KNOWN = f"{was('replicas')} IS NOT NULL AND {is_now('replicas')} IS NOT NULL"
_ASSIGNED = listed(was("replicas")), listed(is_now("replicas"))


def _members(of: str, gone_from: str, assigned: str) -> str:
    """Those of one ISR that are not in the other, and are among the assigned replicas where these are known."""
    is_assigned = f"coalesce(list_contains({assigned}, each), true)"
    return f"list_filter({of}, lambda each: NOT list_contains({gone_from}, each) AND {is_assigned})"


_MEMBERS_LEFT = _members(was("isr"), is_now("isr"), is_now("replicas"))
_MEMBERS_JOINED = _members(is_now("isr"), was("isr"), was("replicas"))
_IS_REMOVED = " OR ".join(
    f"coalesce(list_contains({then('removing')}, each), false)" for then in (was, is_now)
)
_UNTOLD = f"CASE WHEN {changed('leader')} AND {IS_UNCLEAN} THEN 'unclean-election' ELSE 'unknown' END"
_WHY_EACH_LEFT = f"""list_distinct(list_transform({_MEMBERS_LEFT},
      lambda each: CASE WHEN {_IS_REMOVED} THEN 'reassignment' ELSE coalesce(fates[each], {_UNTOLD}) END))"""
_WHY_SHRANK = f"CASE len({_WHY_EACH_LEFT}) WHEN 1 THEN {_WHY_EACH_LEFT}[1] ELSE 'several' END"
_TARGET = listed(
    f"list_filter({is_now('replicas')}, lambda each: NOT list_contains({is_now('removing')}, each))"
)
_MOVED_BEFORE, _MOVES_NOW = (f"len({then('adding')}) + len({then('removing')})" for then in (was, is_now))

EVENTS = events_of(
    f"partitions_changes ANTI JOIN ({RECREATED}) USING (topic) CROSS JOIN ({FATES})",
    subject="topic || '-' || partition",
    candidates=[
        happened(
            LEADER_MOVED, f"{changed('leader')} AND {_HAD_LEADER} AND {_HAS_LEADER}", *_LEADER, WHY_MOVED
        ),
        happened(UNCLEAN, f"{changed('leader')} AND {_HAS_LEADER} AND {IS_UNCLEAN}", _ISR[0], _LEADER[1]),
        happened(
            OFFLINE, f"{changed('leader')} AND {_HAD_LEADER} AND NOT {_HAS_LEADER}", *_LEADER, WHY_OFFLINE
        ),
        happened(ONLINE, f"{changed('leader')} AND NOT {_HAD_LEADER} AND {_HAS_LEADER}", *_LEADER),
        happened(SHRANK, f"{changed('isr')} AND len({_MEMBERS_LEFT}) > 0", *_ISR, _WHY_SHRANK),
        happened(
            GREW, f"{changed('isr')} AND len({_MEMBERS_LEFT}) = 0 AND len({_MEMBERS_JOINED}) > 0", *_ISR
        ),
        happened(ASSIGNMENT_CHANGED, f"{changed('replicas')} AND {_ARE_KNOWN}", *_ASSIGNED),
        happened(STARTED, f"{_MOVED_BEFORE} = 0 AND {_MOVES_NOW} > 0", _ASSIGNED[0], _TARGET),
        happened(FINISHED, f"{_MOVED_BEFORE} > 0 AND {_MOVES_NOW} = 0", *_ASSIGNED),
    ],
    touched="1",
)
"""What each change of a partition's state was; new partitions, and those of a recreated topic, are told by their topic.

A replica that left the ISR because it is no longer assigned did not fall out of it: its assignment changed.
"""
