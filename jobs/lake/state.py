"""The one mechanism of every `state` table: what is now, and how it differs from what was before.

DuckDB compares them: 600,000 rows with as many in a second. Nothing here opens the lake or writes to it.
"""

from dataclasses import dataclass

import duckdb
import pyarrow as pa

from jobs.lake.arrow import arrow_type, in_columns
from jobs.lake.coverage import scope_of
from jobs.lake.duckdb_sql import name
from jobs.lake.rows import Rows, show
from jobs.many_rows import are_many
from schemas.table import Table

_IS_HIDDEN = "coalesce(new.is_unseen, old.is_unseen)"
"""A row that was seen is not hidden, though the row before may not say where it stood."""

_NOW = f"CASE WHEN {_IS_HIDDEN} THEN old.packed ELSE new.packed END"
_CORRECTED = f"CASE WHEN {_IS_HIDDEN} THEN coalesce(new.packed, old.packed) ELSE new.packed END"


@dataclass(frozen=True)
class Comparison:
    """A state table after a snapshot: `now` are its living rows, in the table's columns.

    `changes` has a row for each key that was created, updated or deleted: the key's columns, `op`, and the structs
    `before` and `after` of all the table's columns, null where there is no row.
    """

    now: pa.Table
    changes: pa.Table


def compare(
    connection: duckdb.DuckDBPyConnection, before: Rows, seen: pa.Table, table: Table, is_unseen: str
) -> Comparison:
    """Compare the rows before a snapshot with those that it saw, both in the table's columns.

    `is_unseen` is SQL over the alias `state` and tells which rows a coverage gap hides (see `jobs.lake.coverage`): such
    a row stays as it was.
    """
    if not isinstance(before, str):
        if _are_equal(before, seen, table.key):
            return Comparison(before, changes_schema(table).empty_table())
        if not before.num_rows and is_unseen == "false":
            return Comparison(seen, _created(seen, table))
    with connection.cursor() as cursor:
        show(cursor, "before", before)
        cursor.register("seen", seen)
        changes = cursor.sql(_changes(table, is_unseen)).to_arrow_table().cast(changes_schema(table))
        now = (
            seen
            if is_unseen == "false"
            else cursor.sql(_value_of_both(table, is_unseen, _NOW)).to_arrow_table()
        )
    return Comparison(in_columns([now], table.columns), changes)


def with_is_current(connection: duckdb.DuckDBPyConnection, rows: pa.Table, is_unseen: str) -> pa.Table:
    """Living rows, each with `is_current`: no gap hides it."""
    with connection.cursor() as cursor:
        cursor.register("rows", rows)
        answer = cursor.sql(f"SELECT NOT {is_unseen} AS is_current FROM rows AS state").to_arrow_table()
    return rows.append_column("is_current", answer["is_current"])


def scopes_where(
    connection: duckdb.DuckDBPyConnection, rows: pa.Table, table: Table, source: str, condition: str
) -> list[str]:
    """Where the rows stand in the namespace of a source for which the condition over the alias `state` holds."""
    with connection.cursor() as cursor:
        cursor.register("rows", rows)
        scope = scope_of(table, source)
        return [
            scope
            for (scope,) in cursor.sql(f"SELECT {scope} FROM rows AS state WHERE {condition}").fetchall()
        ]


def scopes_of(
    connection: duckdb.DuckDBPyConnection, changes: pa.Table, table: Table, source: str
) -> list[str | None]:
    """Where each of the changed rows stands in the namespace of a source; None where a row does not say."""
    with connection.cursor() as cursor:
        cursor.register("changes", changes)
        values = "SELECT coalesce(after, before) AS value FROM changes"
        rows = f"SELECT {scope_of(table, source)} FROM (SELECT {members(table)} FROM ({values})) AS state"
        return [scope for (scope,) in cursor.sql(rows).fetchall()]


def corrected(
    connection: duckdb.DuckDBPyConnection, before: pa.Table, remade: pa.Table, table: Table, was_unseen: str
) -> pa.Table:
    """The rows before a snapshot, in the table's columns, as other code makes them of the same raw state: `remade`.

    `was_unseen` tells like `is_unseen` of `compare` which rows the snapshot before did not see. Such a row may be of
    another source: where it is not remade it stays.
    """
    with connection.cursor() as cursor:
        cursor.register("before", before)
        cursor.register("seen", remade)
        rows = cursor.sql(_value_of_both(table, was_unseen, _CORRECTED)).to_arrow_table()
    return in_columns([rows], table.columns)


def changes_of(connection: duckdb.DuckDBPyConnection, changes: pa.Table, column: str) -> list[bool]:
    """Whether each of the changed rows was and stays, and had another value in the column that was known."""
    known = (
        f"before.{name(column)} IS NOT NULL AND before.{name(column)} IS DISTINCT FROM after.{name(column)}"
    )
    with connection.cursor() as cursor:
        cursor.register("changes", changes)
        return [
            is_changed
            for (is_changed,) in cursor.sql(f"SELECT op = 'update' AND {known} FROM changes").fetchall()
        ]


def _created(rows: pa.Table, table: Table) -> pa.Table:
    """The changes where nothing was before."""
    schema = changes_schema(table)
    values = {each: rows[each] for each in table.key} | {
        "op": pa.repeat(pa.scalar("create"), rows.num_rows),
        "before": pa.nulls(rows.num_rows, schema.field("before").type),
        "after": rows.select(table.column_names).to_struct_array(),
    }
    return pa.table(values, schema=schema)


def _are_equal(before: pa.Table, seen: pa.Table, key: tuple[str, ...]) -> bool:
    """Whether few rows are the same, as those of most tables are: to sort them is quicker than to plan a query."""
    if before.num_rows != seen.num_rows or are_many(seen.num_rows):
        return False
    by_key = [(each, "ascending") for each in key]
    before, seen = (rows.sort_by(by_key) if by_key else rows for rows in (before, seen))
    return bool(before.equals(seen))


def _changes(table: Table, is_unseen: str) -> str:
    key = "".join(f"coalesce(old.{each}, new.{each}) AS {each}, " for each in map(name, table.key))
    op = (
        f"CASE WHEN {_IS_HIDDEN} THEN NULL WHEN old.packed IS NULL THEN 'create' WHEN new.packed IS NULL THEN 'delete' "
        "WHEN old.packed IS DISTINCT FROM new.packed THEN 'update' END"
    )
    both = _both(table, is_unseen)
    return (
        f"SELECT {key}{op} AS op, old.packed AS before, new.packed AS after FROM {both} WHERE op IS NOT NULL"
    )


def _value_of_both(table: Table, is_unseen: str, value: str) -> str:
    rows = f"SELECT {value} AS value FROM {_both(table, is_unseen)} WHERE value IS NOT NULL"
    return f"SELECT {members(table)} FROM ({rows})"


def _both(table: Table, is_unseen: str) -> str:
    """Every key of both sides, its row as the struct `packed`."""
    columns = "".join(f"{name(each)}, " for each in table.key) + _packed(table)
    old, new = (
        f"(SELECT {columns}, {is_unseen} AS is_unseen FROM {side} AS state)" for side in ("before", "seen")
    )
    same_key = [f"old.{each} IS NOT DISTINCT FROM new.{each}" for each in map(name, table.key)]
    return f"{old} AS old FULL JOIN {new} AS new ON {' AND '.join(same_key) or 'true'}"


def _packed(table: Table) -> str:
    members = ", ".join(f"{each} := {each}" for each in map(name, table.column_names))
    return f"struct_pack({members}) AS packed"


def members(table: Table) -> str:
    """DuckDB's SQL: a table's columns, which are the members of a struct `value`."""
    return ", ".join(f"value.{each} AS {each}" for each in map(name, table.column_names))


def changes_schema(table: Table) -> pa.Schema:
    """The columns of `Comparison.changes`."""
    types = {column.name: arrow_type(column.type) for column in table.columns}
    row = pa.struct(types)
    key = [(each, types[each]) for each in table.key]
    return pa.schema([*key, ("op", pa.string()), ("before", row), ("after", row)])
