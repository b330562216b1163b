"""Controllers that moved, and elections nobody saw."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from jobs.events.event import CREATED, DELETED, NOTHING, changed, events_of, happened, is_now, was


def events(controllers_changes: DataFrame) -> DataFrame:
    """`/controller_epoch` rises by one at each election: more than one means others ruled in between."""
    elections = is_now("epoch") - was("epoch")
    return events_of(
        controllers_changes,
        subject=F.lit("controller"),
        candidates=[
            happened("controller-elected", CREATED, NOTHING, is_now("controller_id")),
            happened("controller-lost", DELETED, was("controller_id"), NOTHING),
            happened(
                "controller-moved", changed("controller_id"), was("controller_id"), is_now("controller_id")
            ),
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
