"""Changes of rows as events get them, from a few columns."""

from collections.abc import Callable
from datetime import UTC, datetime
from types import ModuleType
from typing import Any, NamedTuple

import pyarrow as pa
import pytest

from jobs.events.parts.event import event_modules, kinds_of
from jobs.lake.arrow import arrow_type
from jobs.lake.sandbox import open_sandbox
from jobs.process.frames import answer
from schemas.registry import tables

Row = dict[str, Any]


class Frame(NamedTuple):
    """Rows by the name under which events read them."""

    name: str
    rows: pa.Table


@pytest.fixture
def changes() -> Callable[..., Frame]:
    """A table's changes, each (row before or None, row after or None); columns that are not given are null."""

    def changed(table: str, *pairs: tuple[Row | None, Row | None]) -> Frame:
        columns = [(column.name, arrow_type(column.type)) for column in tables()[table].columns]
        key = [each for each in columns if each[0] in tables()[table].key]
        since = [("since_snapshot_id", pa.string()), ("since_at", pa.timestamp("us", tz="UTC"))]
        row = pa.struct(columns)
        schema = pa.schema([*key, ("op", pa.string()), *since, ("before", row), ("after", row)])
        return Frame(
            f"{table}_changes", pa.Table.from_pylist([_change(table, *pair) for pair in pairs], schema)
        )

    return changed


def _change(table: str, before: Row | None, after: Row | None) -> Row:
    op = "create" if before is None else "delete" if after is None else "update"
    key = {name: (after or before or {}).get(name) for name in tables()[table].key}
    since = {"since_snapshot_id": "20261121T140000Z", "since_at": datetime(2026, 11, 21, 14, tzinfo=UTC)}
    return key | since | {"op": op, "before": before, "after": after}


@pytest.fixture
def rows_of() -> Callable[..., Frame]:
    """The rows of a frame, such as `partitions` or `topics_history`; columns that are not given are null."""

    def rows(name: str, *rows: Row) -> Frame:
        known = [
            (each.name, arrow_type(each.type)) for each in tables()[name.removesuffix("_history")].columns
        ]
        more = [("op", pa.string()), ("written_by", pa.string())] if name.endswith("_history") else []
        return Frame(name, pa.Table.from_pylist(list(rows), pa.schema([*known, *more])))

    return rows


@pytest.fixture
def events(rows_of: Callable[..., Frame], changes: Callable[..., Frame]) -> Callable[..., list[Row]]:
    """The rows that a module tells, each of a kind that it declares. Frames that are not given are empty."""
    declared = {kind.name for module in event_modules() for kind in kinds_of(module)}

    def empty(name: str) -> pa.Table:
        is_changes = name.endswith("_changes")
        return (changes(name.removesuffix("_changes")) if is_changes else rows_of(name)).rows

    def rows(module: ModuleType, *frames: Frame) -> list[Row]:
        given = dict(frames)
        with open_sandbox() as connection:
            found: list[Row] = answer(
                connection, module.EVENTS, lambda name: given[name] if name in given else empty(name)
            ).to_pylist()
        assert {row["since_snapshot_id"] for row in found} <= {"20261121T140000Z"}
        assert {row["event"] for row in found} <= declared
        return found

    return rows


@pytest.fixture
def told(events: Callable[..., list[Row]]) -> Callable[..., set[tuple[Any, ...]]]:
    """Events as (event, subject, from, to, partitions touched)."""
    shown = ("event", "subject", "from_value", "to_value", "partitions_touched")
    return lambda *of: {tuple(row[name] for name in shown) for row in events(*of)}


@pytest.fixture
def reasons(events: Callable[..., list[Row]]) -> Callable[..., dict[str, str]]:
    """The reason of each kind of event that has one."""
    return lambda *of: {row["event"]: row["reason"] for row in events(*of) if row["reason"]}
