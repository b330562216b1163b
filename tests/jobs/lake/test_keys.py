"""A key that comes twice is one row, which says so, whatever order the rows came in."""

import logging
from collections.abc import Sequence
from itertools import permutations
from typing import Any

import pyarrow as pa
import pytest

from jobs import many_rows
from jobs.lake.arrow import arrow_schema
from jobs.lake.keys import one_row_a_key
from jobs.lake.sandbox import open_sandbox
from schemas.table import PROBLEM, Column, Kind, Table

HOUSES = Table(
    name="houses",
    kind=Kind.STATE,
    meaning="houses",
    key=("street", "number"),
    columns=(
        Column("street", "STRING", "name of the street", required=True),
        Column("number", "INT", "number of the house"),
        Column("tenants", "ARRAY<INT>", "who lives there"),
        PROBLEM,
    ),
)
MAYOR = Table(
    name="mayor", kind=Kind.STATE, meaning="the mayor", key=(), columns=(Column("name", "STRING", "name"),)
)
TWICE = "2 rows have this key, and one of them is kept"


def kept(table: Table, rows: Sequence[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    schema = arrow_schema(table.columns)
    made = pa.Table.from_pylist([dict(zip(schema.names, row, strict=True)) for row in rows], schema)
    found = one_row_a_key(open_sandbox(), made, table)
    return sorted((tuple(row.values()) for row in found.to_pylist()), key=str)


def test_rows_of_which_each_has_a_key_of_its_own_stay_as_they_are(caplog: pytest.LogCaptureFixture) -> None:
    rows = [("elm", 1, [7], None), ("elm", None, None, "no number"), ("oak", 1, [7], None)]
    assert kept(HOUSES, rows) == sorted(rows, key=str)
    assert kept(HOUSES, []) == []
    assert not caplog.records


def test_of_rows_with_one_key_one_is_kept_whatever_order_they_came_in(
    caplog: pytest.LogCaptureFixture,
) -> None:
    rows = [("elm", 1, [7], None), ("elm", 1, [8], "no roof"), ("oak", 1, [7], None)]
    with caplog.at_level(logging.WARNING):
        for order in permutations(rows):
            assert kept(HOUSES, order) == [("elm", 1, [7], TWICE), ("oak", 1, [7], None)]
    assert caplog.messages[0] == "houses: of rows with the same key only one is kept, 1 left out"


def test_many_rows_are_looked_at_in_the_same_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(many_rows, "MANY_ROWS", 1)
    rows = [("elm", None, [7], None), ("elm", None, [8], None), ("oak", 1, [7], None), (None, 1, [7], None)]
    others = [("oak", 1, [7], None), (None, 1, [7], None)]
    assert kept(HOUSES, rows) == [("elm", None, [7], TWICE), *others]
    assert kept(HOUSES, rows[1:]) == [("elm", None, [8], None), *others]


def test_what_was_malformed_of_the_row_is_told_too_and_a_key_without_a_value_is_a_key() -> None:
    rows = [("elm", None, [7], "no number"), ("elm", None, [8], None)]
    assert kept(HOUSES, rows) == [("elm", None, [7], f"no number; {TWICE}")]


def test_the_very_same_row_again_is_a_second_row() -> None:
    assert kept(HOUSES, [("elm", 1, [7], None)] * 3) == [
        ("elm", 1, [7], "3 rows have this key, and one of them is kept")
    ]


def test_a_table_without_a_key_holds_one_row() -> None:
    assert kept(MAYOR, [("Bob",), ("Ada",)]) == [("Ada",)]
