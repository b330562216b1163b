"""Members of the metadata quorum that came, went, were promoted or demoted."""

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F

from jobs.events.parts.event import changed, created, deleted, events_of, happened, is_now, nothing, was


def events(quorum_members_changes: DataFrame) -> DataFrame:
    """An observer that is added becomes a voter, a voter that is removed becomes an observer.

    Brokers before Kafka 3.9 tell no directory ids: a member that has got one, or lost it, has stayed.
    """
    is_voter, was_voter = is_now("role") == "voter", was("role") == "voter"
    came, went = created() & ~F.col("stays"), deleted() & ~F.col("stays")
    return events_of(
        quorum_members_changes.withColumn("stays", _stays()),
        subject=F.concat(F.lit("node "), "node_id"),
        candidates=[
            happened("voter-promoted", changed("role") & is_voter, was("role"), is_now("role")),
            happened("voter-demoted", changed("role") & was_voter, was("role"), is_now("role")),
            happened("voter-appeared", came & is_voter, nothing(), F.col("directory_id")),
            happened("voter-vanished", went & was_voter, F.col("directory_id"), nothing()),
            happened("observer-appeared", came & ~is_voter, nothing(), F.col("directory_id")),
            happened("observer-vanished", went & ~was_voter, F.col("directory_id"), nothing()),
        ],
        touched=F.lit(0),
    )


def _stays() -> Column:
    """The node came and went at once, on one side without a directory id."""
    of_node = Window.partitionBy("node_id")
    both = [F.bool_or(condition).over(of_node) for condition in (created(), deleted())]
    return both[0] & both[1] & F.bool_or(F.col("directory_id").isNull()).over(of_node)
