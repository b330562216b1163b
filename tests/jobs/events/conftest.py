"""Changes of rows as events get them, from a few columns."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pyarrow as pa
import pytest
from pyspark.sql import DataFrame

from jobs.events.parts.event import event_modules, kinds_of
from jobs.lake.arrow import arrow_type
from schemas.registry import tables

Row = dict[str, Any]


@pytest.fixture
def changes(frame: Callable[..., DataFrame]) -> Callable[..., DataFrame]:
    """A table's changes, each (row before or None, row after or None); columns that are not given are null."""

    def changed(table: str, *pairs: tuple[Row | None, Row | None]) -> DataFrame:
        row = pa.struct([(column.name, arrow_type(column.type)) for column in tables()[table].columns])
        since = {"since_snapshot_id": pa.string(), "since_at": pa.timestamp("us", tz="UTC")}
        columns = {"op": pa.string(), **since, "before": row, "after": row}
        made = frame(table, *[_change(table, *pair) for pair in pairs], **columns)
        return made.select(*tables()[table].key, *columns)

    return changed


def _change(table: str, before: Row | None, after: Row | None) -> Row:
    op = "create" if before is None else "delete" if after is None else "update"
    key = {name: (after or before or {}).get(name) for name in tables()[table].key}
    since = {"since_snapshot_id": "20261121T140000Z", "since_at": datetime(2026, 11, 21, 14, tzinfo=UTC)}
    return key | since | {"op": op, "before": before, "after": after}


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
