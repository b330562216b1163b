"""Members of the metadata quorum that came, went, were promoted or demoted."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from jobs.events.event import changed, created, deleted, events_of, happened, is_now, nothing, was


def events(quorum_members_changes: DataFrame) -> DataFrame:
    """An observer that is added becomes a voter, a voter that is removed becomes an observer."""
    is_voter, was_voter = is_now("role") == "voter", was("role") == "voter"
    return events_of(
        quorum_members_changes,
        subject=F.concat(F.lit("node "), "node_id"),
        candidates=[
            happened("voter-promoted", changed("role") & is_voter, was("role"), is_now("role")),
            happened("voter-demoted", changed("role") & was_voter, was("role"), is_now("role")),
            happened("voter-appeared", created() & is_voter, nothing(), F.col("directory_id")),
            happened("voter-vanished", deleted() & was_voter, F.col("directory_id"), nothing()),
            happened("observer-appeared", created() & ~is_voter, nothing(), F.col("directory_id")),
            happened("observer-vanished", deleted() & ~was_voter, F.col("directory_id"), nothing()),
        ],
        touched=F.lit(0),
    )
