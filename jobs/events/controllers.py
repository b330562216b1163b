"""Controllers that moved, and elections that no snapshot saw.

The subject is `controller`; `partitions_touched` is 0.
"""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from jobs.events.parts.event import EventKind, changed, created, deleted, events_of, happened, is_now, was

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
    from_value="controller epoch before",
    to_value="controller epoch now, null where it was not seen",
)
MISSED = EventKind(
    "elections-missed",
    "There was more than one election, so that other controllers may have ruled in between.",
    from_value="controller epoch before",
    to_value="controller epoch now",
)


def events(controllers_changes: DataFrame) -> DataFrame:
    """`/controller_epoch` rises by one at each election: more than one means that others ruled in between.

    That znode may have been read when another controller ruled than `/controller` names: who was elected again is told
    by `elected_at`. The quorum counts epochs of its own and has no `elected_at`: between ZooKeeper and the quorum the
    elections cannot be counted. A malformed `/controller` names no controller: it has moved neither away nor back.
    """
    moved = changed("controller_id") & (was("controller_id") != is_now("controller_id"))
    elected_at = was("elected_at"), is_now("elected_at")
    is_one_count = elected_at[0].isNull() == elected_at[1].isNull()
    elections = F.when(is_one_count, is_now("epoch").cast("bigint") - was("epoch"))
    is_new_term = F.coalesce(elected_at[0] != elected_at[1], elections > 0)
    epochs = was("epoch"), F.when(changed("epoch"), is_now("epoch"))
    return events_of(
        controllers_changes,
        subject=F.lit("controller"),
        candidates=[
            happened(ELECTED, created(), after=is_now("controller_id")),
            happened(LOST, deleted(), before=was("controller_id")),
            happened(MOVED, moved, was("controller_id"), is_now("controller_id")),
            happened(REELECTED, (was("controller_id") == is_now("controller_id")) & is_new_term, *epochs),
            happened(MISSED, elections > 1, *epochs),
        ],
        touched=F.lit(0),
    )
