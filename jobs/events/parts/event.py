"""The shape of events: what a change of a row may mean, and the row of `events` it becomes.

A module of this folder explains the changes of one table: it has a function `events` whose parameters name
the frames it reads, `<table>_changes` (see `jobs.frames`) among them.
"""

from collections.abc import Sequence

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

COLUMNS = (
    "event",
    "subject",
    "from_value",
    "to_value",
    "partitions_touched",
    "since_snapshot_id",
    "since_at",
)


def happened(event: str, condition: Column, before: Column, after: Column) -> Column:
    """A candidate event: null unless `condition` holds."""
    values = F.struct(
        F.lit(event).alias("event"),
        before.cast("string").alias("from_value"),
        after.cast("string").alias("to_value"),
    )
    return F.when(F.coalesce(condition, F.lit(False)), values)


def events_of(
    changes: DataFrame, subject: Column, candidates: Sequence[Column], touched: Column
) -> DataFrame:
    """One row for each candidate that happened. `touched` counts the partitions it concerns."""
    return (
        changes.withColumns({"subject": subject, "partitions_touched": touched.cast("int")})
        .withColumn("happened", F.explode(F.array_compact(F.array(*candidates))))
        .select("happened.*", "subject", "partitions_touched", "since_snapshot_id", "since_at")
        .select(*COLUMNS)
    )


def was(name: str) -> Column:
    """The column before the change; null where the row is new."""
    return F.col(f"before.{name}")


def is_now(name: str) -> Column:
    """The column after the change; null where the row is gone."""
    return F.col(f"after.{name}")


def changed(name: str) -> Column:
    """The row was there and stays, and this column of it changed."""
    return (F.col("op") == "update") & ~was(name).eqNullSafe(is_now(name))


def created() -> Column:
    """The row is new."""
    return F.col("op") == "create"


def deleted() -> Column:
    """The row is gone."""
    return F.col("op") == "delete"


def nothing() -> Column:
    """No value, where there is none before or after."""
    return F.lit(None)
