"""Frames as checks get them, from a few rows."""

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

import duckdb
import pyarrow as pa
import pytest

from jobs.checks.parts.check import Check
from jobs.lake.arrow import arrow_type
from jobs.lake.sandbox import open_sandbox
from jobs.lake.state import changes_schema
from jobs.process.frames import answer
from schemas.registry import tables

READ_AT = datetime(2026, 11, 21, 14, 0, tzinfo=UTC)
_NOW = {"is_current": pa.bool_(), "read_at": pa.timestamp("us", tz="UTC")}
_BEFORE = {"captured_at": pa.timestamp("us", tz="UTC"), "written_by": pa.string()}
_PAST = {"op": pa.string(), "written_by": pa.string(), "changed_at": pa.timestamp("us", tz="UTC")}

Row = dict[str, Any]


class Frame(NamedTuple):
    """Rows by the name under which a check reads them."""

    name: str
    rows: pa.Table


@pytest.fixture(scope="session")
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with open_sandbox() as opened:
        yield opened


@pytest.fixture
def now() -> Callable[..., Frame]:
    """A table's living rows; columns that are not given are null, rows are current and read at 14:00."""

    def living(table: str, *rows: Row) -> Frame:
        return _frame(table, table, [{"is_current": True, "read_at": READ_AT} | row for row in rows], _NOW)

    return living


@pytest.fixture
def past() -> Callable[..., Frame]:
    """What earlier snapshots wrote of a table: rows with `op` and `written_by`, if they are not creations of 14:00."""

    def history(table: str, *rows: Row) -> Frame:
        written = {"op": "create", "written_by": "20261121T140000Z"}
        return _frame(f"{table}_history", table, [written | row for row in rows], _PAST)

    return history


@pytest.fixture
def before() -> Callable[..., Frame]:
    """The rows before this snapshot; of a series or a log what the newest earlier one wrote: that of 13:50, if not told otherwise."""

    def earlier(table: str, *rows: Row) -> Frame:
        written = {"captured_at": READ_AT - timedelta(minutes=10), "written_by": "20261121T135000Z"}
        return _frame(f"{table}_before", table, [written | row for row in rows], _BEFORE)

    return earlier


@pytest.fixture
def changes() -> Callable[..., Frame]:
    """What this snapshot changed of a table: the key's columns and `op`, if it is not an update; before and after are null."""

    def changed(table: str, *rows: Row) -> Frame:
        schema = changes_schema(tables()[table])
        return Frame(
            f"{table}_changes", pa.Table.from_pylist([{"op": "update"} | row for row in rows], schema)
        )

    return changed


@pytest.fixture
def verdicts(connection: duckdb.DuckDBPyConnection) -> Callable[..., dict[str, Row]]:
    """What a check says of each subject that is not fine, with severity, remedy and cause; frames not given are empty."""

    def of(check: Check, *frames: Frame) -> dict[str, Row]:
        rows = answer(connection, check.verdicts, _of(frames), check.values).to_pylist()
        return {row["subject"]: row | {"evidence": json.loads(row["evidence"])} for row in rows}

    return of


@pytest.fixture
def judged(connection: duckdb.DuckDBPyConnection) -> Callable[..., dict[str, Any]]:
    """What a check said of each subject: `fine`, `unknown`, or what the evidence of a hit says."""

    def of(check: Check, *frames: Frame) -> dict[str, Any]:
        select = (
            f"SELECT subject, is_hit, is_known, to_json(evidence)::VARCHAR AS evidence FROM ({check.judge})"
        )
        found = answer(connection, select, _of(frames), check.values).to_pylist()
        assert len({row["subject"] for row in found}) == len(found), "a subject is judged twice"
        return {row["subject"]: _verdict(row) for row in found}

    return of


def _verdict(row: Row) -> Any:
    if not row["is_known"]:
        return "unknown"
    facts = json.loads(row["evidence"])
    return {name: fact for name, fact in facts.items() if fact is not None} if row["is_hit"] else "fine"


def _of(frames: tuple[Frame, ...]) -> Callable[[str], pa.Table]:
    given = dict(frames)

    def frame(name: str) -> pa.Table:
        if name in given:
            return given[name]
        if name.endswith("_changes"):
            return changes_schema(tables()[name.removesuffix("_changes")]).empty_table()
        if name.endswith("_before"):
            return _frame(name, name.removesuffix("_before"), [], _BEFORE).rows
        table = name.removesuffix("_history")
        return _frame(name, table, [], _NOW if name == table else _PAST).rows

    return frame


def _frame(name: str, table: str, rows: list[Row], more: dict[str, pa.DataType]) -> Frame:
    known = {column.name: arrow_type(column.type) for column in tables()[table].columns}
    return Frame(name, pa.Table.from_pylist(rows, pa.schema([*(known | more).items()])))
