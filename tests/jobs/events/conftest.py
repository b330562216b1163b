"""Changes of rows as events get them, from a few columns."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pyarrow as pa
import pytest
from pyspark.sql import DataFrame, SparkSession

from jobs.events.parts.event import event_modules, kinds_of
from jobs.lake.arrow import arrow_type
from schemas.registry import tables

Row = dict[str, Any]


@pytest.fixture
def changes(spark: SparkSession) -> Callable[..., DataFrame]:
    """A table's changes, each (row before or None, row after or None); columns that are not given are null."""

    def frame(table: str, *pairs: tuple[Row | None, Row | None]) -> DataFrame:
        columns = [(c.name, arrow_type(c.type)) for c in tables()[table].columns]
        key = [field for field in columns if field[0] in tables()[table].key]
        common = [
            ("op", pa.string()),
            ("since_snapshot_id", pa.string()),
            ("since_at", pa.timestamp("us", tz="UTC")),
        ]
        schema = pa.schema([*key, *common, ("before", pa.struct(columns)), ("after", pa.struct(columns))])
        return spark.createDataFrame(pa.Table.from_pylist([_change(table, *pair) for pair in pairs], schema))

    return frame


def _change(table: str, before: Row | None, after: Row | None) -> Row:
    op = "create" if before is None else "delete" if after is None else "update"
    key = {name: (after or before or {}).get(name) for name in tables()[table].key}
    since = {"since_snapshot_id": "20261121T140000Z", "since_at": datetime(2026, 11, 21, 14, tzinfo=UTC)}
    return key | since | {"op": op, "before": before, "after": after}


@pytest.fixture
def frame(spark: SparkSession) -> Callable[..., DataFrame]:
    """Rows of a table; columns that are not given are null."""

    def rows(table: str, *rows: Row, **extra: pa.DataType) -> DataFrame:
        columns = [(c.name, arrow_type(c.type)) for c in tables()[table].columns]
        schema = pa.schema([*columns, *extra.items()])
        return spark.createDataFrame(pa.Table.from_pylist(list(rows), schema))

    return rows


@pytest.fixture
def told() -> Callable[[DataFrame], set[tuple[Any, ...]]]:
    """Events as (event, subject, from, to, partitions touched); each is of a kind that a module declares."""
    declared = {kind.name for module in event_modules() for kind in kinds_of(module)}

    def rows(frame: DataFrame) -> set[tuple[Any, ...]]:
        found = frame.collect()
        assert {row.since_snapshot_id for row in found} <= {"20261121T140000Z"}
        assert {row.event for row in found} <= declared
        return {
            (row.event, row.subject, row.from_value, row.to_value, row.partitions_touched) for row in found
        }

    return rows
