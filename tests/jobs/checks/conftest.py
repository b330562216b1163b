"""Frames as checks get them, from a few rows."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pyarrow as pa
import pytest
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

READ_AT = datetime(2026, 11, 21, 14, 0, tzinfo=UTC)


@pytest.fixture
def now(frame: Callable[..., DataFrame]) -> Callable[..., DataFrame]:
    """A table's living rows; columns that are not given are null, rows are current and read at 14:00."""

    def living(table: str, *rows: dict[str, Any]) -> DataFrame:
        filled = [{"is_current": True, "read_at": READ_AT} | row for row in rows]
        return frame(table, *filled, is_current=pa.bool_(), read_at=pa.timestamp("us", tz="UTC"))

    return living


@pytest.fixture
def judged() -> Callable[[DataFrame], dict[str, Any]]:
    """What a check said of each subject: `fine`, `unknown`, or the evidence of a hit."""

    def verdicts(frame: DataFrame) -> dict[str, Any]:
        found = frame.select(
            "subject", "is_hit", "is_known", F.to_json("evidence").alias("evidence")
        ).collect()
        assert len({row.subject for row in found}) == len(found), "a subject is judged twice"
        return {
            row.subject: "unknown" if not row.is_known else json.loads(row.evidence) if row.is_hit else "fine"
            for row in found
        }

    return verdicts
