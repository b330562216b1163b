"""The one mechanism of every `state` table: what is now, and how it differs from what was before.

Rows travel as DataFrames; nothing here reads or writes.
"""

from datetime import datetime

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from schemas.table import Table


def compare(before: DataFrame, seen: DataFrame, table: Table, unseen: Column) -> DataFrame:
    """Every key of `before` (see `StoredRows.living`) and of `seen` (the table's columns), side by side.

    Columns: `cluster`, `before` and `after` (structs of the table's columns, null where there is no row), and `op`,
    null where nothing changed. `unseen` tells, over the table's columns, which keys a coverage gap hides: such a row
    stays as it was.
    """
    values = [F.col(name) for name in table.column_names]
    old = before.select("cluster", *table.key, F.struct(*values).alias("before"), unseen.alias("was_unseen"))
    new = seen.select("cluster", *table.key, F.struct(*values).alias("after"), unseen.alias("is_unseen"))
    same_key = [F.col(f"old.{name}").eqNullSafe(F.col(f"new.{name}")) for name in ("cluster", *table.key)]
    both = old.alias("old").join(new.alias("new"), on=same_key, how="full")
    is_hidden = F.coalesce("was_unseen", "is_unseen")
    after = F.when(is_hidden, F.col("before")).otherwise(F.col("after"))
    return (
        both.select(
            F.coalesce("old.cluster", "new.cluster").alias("cluster"),
            "before",
            after.alias("after"),
        )
        .withColumn("op", _op())
        .where(F.col("before").isNotNull() | F.col("after").isNotNull())
    )


def _op() -> Column:
    before, after = F.col("before"), F.col("after")
    return (
        F.when(before.isNull() & after.isNotNull(), "create")
        .when(before.isNotNull() & after.isNull(), "delete")
        .when(~before.eqNullSafe(after), "update")
    )


def rows_to_append(
    compared: DataFrame, table: Table, snapshot_id: str, era: str, changed_at: datetime
) -> DataFrame:
    """The rows a snapshot appends: only what changed, or everything, as a keyframe, when it opens the era.

    A deleted row keeps the values it had last.
    """
    opens_era = era == snapshot_id
    op = F.when(F.lit(opens_era) & (F.col("op") == "create"), "keyframe").otherwise(F.col("op"))
    value = F.coalesce("after", "before")
    return compared.where("op is not null").select(
        "cluster",
        *[value[name].alias(name) for name in table.column_names],
        op.alias("op"),
        F.lit(changed_at).cast("timestamp").alias("changed_at"),
        F.lit(snapshot_id).alias("snapshot_id"),
        F.lit(snapshot_id).alias("written_by"),
        F.lit(0).alias("generation"),
        F.lit(era).alias("era"),
    )


def living(compared: DataFrame, table: Table) -> DataFrame:
    """The rows that are there after the snapshot: `cluster` and the table's columns."""
    return compared.where("after is not null").select(
        "cluster", *[F.col(f"after.`{name}`") for name in table.column_names]
    )
