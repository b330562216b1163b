"""Controllers that moved, and elections that no snapshot saw.

The subject is `controller`; `partitions_touched` is 0.
"""

from jobs.events.parts.event import CREATED, DELETED, EventKind, changed, events_of, happened, is_now, was

ELECTED = EventKind(
    "controller-elected", "There is a controller, and there was none.", to_value="id of the controller"
)
LOST = EventKind("controller-lost", "There is no controller any more.", from_value="id of the controller")
MOVED = EventKind(
    "controller-moved",
    "Another node is the controller.",
    from_value="id of the controller before",
    to_value="id of the controller now",
)
REELECTED = EventKind(
    "controller-reelected",
    "The same node was elected again.",
    from_value="its epoch before, such as `epoch 5`",
    to_value="its epoch now, null where it was not seen",
)
MISSED = EventKind(
    "elections-missed",
    "There was more than one election, so that other controllers may have ruled in between.",
    from_value="the controller epoch before, such as `epoch 5`",
    to_value="the controller epoch now",
)
CANDIDACIES = EventKind(
    "candidacies-counted",
    "The quorum's epoch grew by more than one. It grows with every candidacy, also with one that nobody won: "
    "a quorum without its majority adds many, and they do not tell how many leaders there were.",
    from_value="the quorum's epoch before, such as `epoch 5`",
    to_value="the quorum's epoch now",
)

_IDS = was("controller_id"), is_now("controller_id")
_IS_ONE_COUNT = f"({was('elected_at')} IS NULL) = ({is_now('elected_at')} IS NULL)"
"""The quorum counts epochs of its own and has no `elected_at`: between ZooKeeper and it elections cannot be counted."""
_ELECTIONS = f"CASE WHEN {_IS_ONE_COUNT} THEN {is_now('epoch')}::BIGINT - {was('epoch')} END"
_IS_NEW_TERM = f"coalesce({was('elected_at')} <> {is_now('elected_at')}, ({_ELECTIONS}) > 0)"
_IS_QUORUM = f"(({was('elected_at')} IS NULL AND {is_now('elected_at')} IS NULL) OR coalesce({is_now('kraft_epoch')} >= 0, false))"
"""The quorum's leader rules: the Admin API tells of it, or a migration's `/controller` does."""
_EPOCHS = (
    f"'epoch ' || {was('epoch')}",
    f"CASE WHEN {changed('epoch')} THEN 'epoch ' || {is_now('epoch')} END",
)

EVENTS = events_of(
    "controllers_changes",
    subject="'controller'",
    candidates=[
        happened(ELECTED, CREATED, after=_IDS[1]),
        happened(LOST, DELETED, before=_IDS[0]),
        happened(MOVED, f"{changed('controller_id')} AND {_IDS[0]} <> {_IDS[1]}", *_IDS),
        happened(REELECTED, f"{_IDS[0]} = {_IDS[1]} AND {_IS_NEW_TERM}", *_EPOCHS),
        happened(MISSED, f"NOT {_IS_QUORUM} AND ({_ELECTIONS}) > 1", *_EPOCHS),
        happened(CANDIDACIES, f"{_IS_QUORUM} AND ({_ELECTIONS}) > 1", *_EPOCHS),
    ],
    touched="0",
)
"""`/controller_epoch` rises by one at each election: more than one means that others ruled in between. The quorum's epoch
rises at each candidacy (`QuorumState.transitionToCandidate`), which may win nothing.

That znode may have been read when another controller ruled than `/controller` names: who was elected again is told by
`elected_at`. A malformed `/controller` names no controller: it has moved neither away nor back.
"""
