"""Findings open, stay and resolve: what the checks judged now, against what was found before."""

from datetime import datetime, timedelta

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from schemas.judgement import FINDINGS, FindingStatus

KEPT_RESOLVED = timedelta(days=30)
"""So long a finding is kept that was resolved."""


def findings(
    before: DataFrame, judged: DataFrame, captured_at: datetime, last_captured_at: datetime | None
) -> DataFrame:
    """All findings after a snapshot, in FINDINGS columns; long resolved ones are left out.

    `before`: FINDINGS columns and `changed_at`. `judged`: check_id, subject, is_hit, is_known, severity, evidence
    (JSON), remedy; one row for each subject a check looked at. A subject without a row there is fine. A finding whose
    subject is not known stays as it was. While it is open, `not_seen_since` says when it was last judged: at
    `last_captured_at`, or at the older time that it holds already.
    """
    joined = before.alias("old").join(judged.alias("new"), on=["check_id", "subject"], how="full")
    fated = joined.withColumn("fate", _fate(captured_at)).where("fate is not null")
    return fated.select(
        "check_id",
        "subject",
        _if_open("severity"),
        F.when(F.col("fate") == "kept", F.col("old.status")).otherwise(F.col("fate")).alias("status"),
        _first_seen_at(captured_at).alias("first_seen_at"),
        _not_seen_since(last_captured_at).alias("not_seen_since"),
        _if_open("evidence"),
        _if_open("remedy"),
    ).select(*FINDINGS.column_names)


def _fate(captured_at: datetime) -> Column:
    """`open`, `resolved`, `kept` as it was, or null: there is no such finding, or no longer."""
    was_found = F.col("old.status").isNotNull()
    was_open = F.col("old.status") == FindingStatus.OPEN
    is_unknown = _is_unknown()
    is_long_ago = F.col("old.changed_at") < F.lit(captured_at - KEPT_RESOLVED).cast("timestamp")
    return (
        F.when(is_unknown & was_found, "kept")
        .when(F.col("new.is_known") & F.col("new.is_hit"), FindingStatus.OPEN)
        .when(was_open & ~is_unknown, FindingStatus.RESOLVED)
        .when(was_found & ~is_long_ago, "kept")
    )


def _if_open(name: str) -> Column:
    """The new value of an open finding; what the others had last."""
    return (
        F.when(F.col("fate") == FindingStatus.OPEN, F.col(f"new.{name}"))
        .otherwise(F.col(f"old.{name}"))
        .alias(name)
    )


def _first_seen_at(captured_at: datetime) -> Column:
    was_open = F.coalesce(F.col("old.status") == FindingStatus.OPEN, F.lit(False))
    opens_now = (F.col("fate") == FindingStatus.OPEN) & ~was_open
    return F.when(opens_now, F.lit(captured_at).cast("timestamp")).otherwise(F.col("old.first_seen_at"))


def _not_seen_since(last_captured_at: datetime | None) -> Column:
    since = F.coalesce("old.not_seen_since", F.lit(last_captured_at).cast("timestamp"))
    return F.when((F.col("old.status") == FindingStatus.OPEN) & _is_unknown(), since)


def _is_unknown() -> Column:
    return F.col("new.is_known").isNotNull() & ~F.col("new.is_known")
