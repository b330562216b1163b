"""The leader of the metadata quorum, where it moved. In a KRaft cluster it is the controller, too.

The subject is `quorum`; `partitions_touched` is 0.
"""

from jobs.events.parts.event import EventKind, changed, events_of, happened, is_now, was

QUORUM_LEADER_MOVED = EventKind(
    "quorum-leader-moved",
    "Another node leads the metadata quorum.",
    from_value="node id of the leader before, -1 for none",
    to_value="node id of the leader now, -1 for none",
)

EVENTS = events_of(
    "quorum_changes",
    subject="'quorum'",
    candidates=[happened(QUORUM_LEADER_MOVED, changed("leader_id"), was("leader_id"), is_now("leader_id"))],
    touched="0",
)
"""Every change of who leads."""
