"""Controllers that moved, and elections nobody saw."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from jobs.events.parts.event import changed, created, deleted, events_of, happened, is_now, nothing, was


def events(controllers_changes: DataFrame) -> DataFrame:
    """`/controller_epoch` rises by one at each election: more than one means others ruled in between.

    The quorum counts its epochs anew, and without an `elected_at`: across the two nothing can be counted. A
    malformed `/controller` names nobody: it has moved neither away nor back.
    """
    moved = changed("controller_id") & (was("controller_id") != is_now("controller_id"))
    is_one_count = was("elected_at").isNull() == is_now("elected_at").isNull()
    elections = F.when(is_one_count, is_now("epoch").cast("bigint") - was("epoch"))
    return events_of(
        controllers_changes,
        subject=F.lit("controller"),
        candidates=[
            happened("controller-elected", created(), nothing(), is_now("controller_id")),
            happened("controller-lost", deleted(), was("controller_id"), nothing()),
            happened("controller-moved", moved, was("controller_id"), is_now("controller_id")),
            happened(
                "controller-reelected",
                changed("epoch") & ~changed("controller_id"),
                was("epoch"),
                is_now("epoch"),
            ),
            happened("elections-missed", changed("epoch") & (elections > 1), was("epoch"), is_now("epoch")),
        ],
        touched=F.lit(0),
    )
