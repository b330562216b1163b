"""Findings open, stay and resolve: what the checks judged now, against what was found before."""

from datetime import datetime, timedelta

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from schemas.judgement import FINDINGS

_KEPT_RESOLVED = timedelta(days=30)


def findings(before: DataFrame, judged: DataFrame, captured_at: datetime) -> DataFrame:
    """All findings after a snapshot, in FINDINGS columns; long resolved ones are left out.

    `before`: FINDINGS columns and `changed_at`. `judged`: check_id, subject, is_hit, is_known, severity, evidence
    (JSON), remedy; one row for each subject a check looked at. A subject that is not judged is fine; one that is
    not known stays as it was.
    """
    joined = before.alias("old").join(judged.alias("new"), on=["check_id", "subject"], how="full")
    fated = joined.withColumn("fate", _fate(captured_at)).where("fate is not null")
    return fated.select(
        "check_id",
        "subject",
        _if_open("severity"),
        F.when(F.col("fate") == "kept", F.col("old.status")).otherwise(F.col("fate")).alias("status"),
        _first_seen_at(captured_at).alias("first_seen_at"),
        _if_open("evidence"),
        _if_open("remedy"),
    ).select(*FINDINGS.column_names)


def _fate(captured_at: datetime) -> Column:
    """`open`, `resolved`, `kept` as it was, or null: there is no such finding, or no longer."""
    was_found = F.col("old.status").isNotNull()
    was_open = F.col("old.status") == "open"
    is_unknown = F.col("new.is_known").isNotNull() & ~F.col("new.is_known")
    is_long_ago = F.col("old.changed_at") < F.lit(captured_at - _KEPT_RESOLVED).cast("timestamp")
    return (
        F.when(is_unknown & was_found, "kept")
        .when(F.col("new.is_known") & F.col("new.is_hit"), "open")
        .when(was_open & ~is_unknown, "resolved")
        .when(was_found & ~is_long_ago, "kept")
    )


def _if_open(name: str) -> Column:
    """The new value of an open finding; what the others had last."""
    return F.when(F.col("fate") == "open", F.col(f"new.{name}")).otherwise(F.col(f"old.{name}")).alias(name)


def _first_seen_at(captured_at: datetime) -> Column:
    was_open = F.coalesce(F.col("old.status") == "open", F.lit(False))
    opens_now = (F.col("fate") == "open") & ~was_open
    return F.when(opens_now, F.lit(captured_at).cast("timestamp")).otherwise(F.col("old.first_seen_at"))
