"""A lake outlives releases: what a table holds may grow, and in two ways only."""

import json
from pathlib import Path

from jobs.lake.ddl import with_members
from schemas.registry import tables

RELEASED = json.loads((Path(__file__).parents[1] / "data" / "schemas" / "released.json").read_text())
"""For each table of the newest release its columns, as (type, whether it is required)."""


def test_a_table_keeps_its_columns_and_they_keep_their_types_but_for_new_members_of_structs() -> None:
    for name, columns in RELEASED.items():
        now = {column.name: column for column in tables()[name].stored_columns}
        assert columns.keys() <= now.keys(), f"{name}: a column went, and old rows have it"
        for column, (type_, _) in columns.items():
            if "STRUCT" not in type_:
                assert now[column].type == type_, (
                    f"{name}.{column}: give the column of the new type another name"
                )
            elif now[column].type != type_:
                assert now[column].type.startswith(type_.rstrip(">")), (
                    f"{name}.{column}: only add members, at the end"
                )


def test_no_column_is_required_that_old_rows_may_lack_nor_optional_where_the_table_refuses_null() -> None:
    for name, columns in RELEASED.items():
        for column in tables()[name].stored_columns:
            _, was_required = columns.get(column.name, ("", False))
            assert column.required == was_required, f"{name}.{column.name}"


def test_members_of_structs_are_told_with_their_columns() -> None:
    assert {"sources", "sources.zxid"} <= with_members(tables()["snapshots"].stored_columns)
