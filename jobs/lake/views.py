"""The views of a table as DuckDB's SQL: `X` (now), `X_history` (intervals) and `X_at(instant)`.

Every view is written for one cluster; `union` puts those of several together.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from string import Formatter

from jobs.lake.authority import source_of
from jobs.lake.commits import Sight
from jobs.lake.files import StoredFile
from schemas.table import Column, Kind, Table

_TYPES = {"STRING": "VARCHAR", "INT": "INTEGER", "TIMESTAMP": "TIMESTAMPTZ"}


def text(value: str) -> str:
    """A SQL string literal."""
    return "'" + value.replace("'", "''") + "'"


def name(identifier: str) -> str:
    """A quoted SQL identifier."""
    return '"' + identifier.replace('"', '""') + '"'


def names(columns: Iterable[str]) -> str:
    return ", ".join(name(column) for column in columns)


def union(selects: Iterable[str]) -> str:
    return " UNION ALL ".join(f"({select})" for select in selects)


def duckdb_type(spark_type: str) -> str:
    """DuckDB's name of a Spark DDL type as written in `schemas/`."""
    if spark_type.startswith("ARRAY<"):
        return duckdb_type(spark_type[6:-1]) + "[]"
    if spark_type.startswith("STRUCT<"):
        members = (member.split(":") for member in spark_type[7:-1].split(","))
        return f"STRUCT({', '.join(f'{name(n.strip())} {duckdb_type(t.strip())}' for n, t in members)})"
    return _TYPES.get(spark_type, spark_type)


def rows(table: Table, files: Sequence[StoredFile]) -> str:
    """What lies in a table's files, in exactly the columns of its schema; null where a file has no such column."""
    columns = names(column.name for column in table.stored_columns)
    nothing = ", ".join(f"NULL::{duckdb_type(c.type)} AS {name(c.name)}" for c in table.stored_columns)
    if not files:
        return f"SELECT {nothing} WHERE false"
    paths = ", ".join(text(file.path) for file in files)
    partitions = {column: _column(table, column) for column in table.partition_columns}
    types = ", ".join(f"{text(column)}: {duckdb_type(of.type)}" for column, of in partitions.items())
    return (
        f"SELECT {columns} FROM (SELECT {nothing} WHERE false UNION ALL BY NAME SELECT * FROM read_parquet("
        f"[{paths}], union_by_name = true, hive_partitioning = true, hive_types = {{{types}}}))"
    )


def now(
    table: Table, files: Sequence[StoredFile], sight: Sight, gap_scopes: Mapping[str, Collection[str]]
) -> str:
    """The view `X`: a state as it stands, or every visible row of a series or log."""
    if table.kind is not Kind.STATE:
        bookkeeping = ("captured_at", "snapshot_id") if table.kind is Kind.SERIES else ("snapshot_id",)
        columns = names(("cluster", *table.column_names, *bookkeeping))
        return f"SELECT {columns} FROM ({rows(table, files)}) WHERE {_is_committed('snapshot_id', sight)}"
    columns = names(("cluster", *table.column_names, "changed_at", "snapshot_id"))
    return (
        f"SELECT {columns}{_is_current(table, sight, gap_scopes)} "
        f"FROM (SELECT * FROM ({rows(table, _newest_era(files, sight))}) "
        f"WHERE {_is_committed('written_by', sight)} "
        f"QUALIFY row_number() OVER ({_per_key(table)} ORDER BY written_by DESC) = 1) AS state "
        "WHERE op <> 'delete'"
    )


def history(table: Table, files: Sequence[StoredFile], sight: Sight) -> str:
    """The view `X_history`: every value a key ever had, and from when to when."""
    columns = names(("cluster", *table.column_names))
    return (
        f"SELECT {columns}, changed_at AS valid_from, valid_to, snapshot_id "
        f"FROM ({_changes(table, files, sight)}) WHERE op <> 'delete'"
    )


def at_instant(table: Table, files: Sequence[StoredFile], sight: Sight) -> str:
    """The macro `X_at(instant)`: a state at the newest snapshot captured at or before the instant."""
    columns = names(("cluster", *table.column_names, "changed_at", "snapshot_id"))
    asked = (
        f"(SELECT max(snapshot_id) FROM varve.committed WHERE cluster = {text(sight.cluster)} "
        "AND captured_at <= instant::TIMESTAMPTZ)"
    )
    return (
        f"SELECT {columns} FROM ({_changes(table, files, sight)}) WHERE op <> 'delete' "
        f"AND written_by <= {asked} AND (ended_by IS NULL OR ended_by > {asked})"
    )


def _changes(table: Table, files: Sequence[StoredFile], sight: Sight) -> str:
    """Every change, when the next one of its key came, and which snapshot brought that."""
    kept = [file for file in files if file.era in sight.snapshot_ids]
    oldest = min((file.era for file in kept), default="")
    return (
        "SELECT *, lead(changed_at) OVER changes AS valid_to, lead(written_by) OVER changes AS ended_by "
        f"FROM ({rows(table, kept)}) WHERE {_is_committed('written_by', sight)} "
        f"AND (op <> 'keyframe' OR era = {text(oldest)}) WINDOW changes AS ({_per_key(table)} ORDER BY written_by)"
    )


def _newest_era(files: Sequence[StoredFile], sight: Sight) -> list[StoredFile]:
    newest = max((file.era for file in files if file.era in sight.snapshot_ids), default=None)
    return [file for file in files if file.era == newest]


def _is_committed(column: str, sight: Sight) -> str:
    return f"{column} IN (SELECT snapshot_id FROM varve.committed WHERE cluster = {text(sight.cluster)})"


def _per_key(table: Table) -> str:
    return f"PARTITION BY {names(table.key)}" if table.key else ""


def _is_current(table: Table, sight: Sight, gap_scopes: Mapping[str, Collection[str]]) -> str:
    """False for rows at or below a coverage gap of the newest snapshot, and for those of a source it was not to read.

    A row's ancestors are looked up depth by depth: comparing each row with each gap takes minutes where both are many.
    """
    source = source_of(table, sight.newest.authority)
    if not table.scopes:
        return ""
    if source not in table.scopes or source not in sight.newest.sources:
        return ", false AS is_current"
    gaps = gap_scopes.get(source, ())
    if not gaps:
        return ", true AS is_current"
    if "/" in gaps:
        return ", false AS is_current"
    scope = _scope(table.scopes[source])
    of_source = (
        f"(SELECT scope FROM varve.gaps WHERE cluster = {text(sight.cluster)} AND source = {text(source)})"
    )
    depths = sorted({gap.count("/") for gap in gaps})
    hidden = [
        f"array_to_string(string_split({scope}, '/')[:{depth + 1}], '/') IN {of_source}" for depth in depths
    ]
    # A row from another source may not say where it stands in this one: then nobody knows that it was seen.
    return f", coalesce(NOT ({' OR '.join(hidden)}), false) AS is_current"


def _scope(template: str) -> str:
    """The scope of a row of `state`; a table may itself have a column called scope, as the gaps have."""
    parts: list[str] = []
    for literal, column, _, _ in Formatter().parse(template):
        parts += [text(literal)] + ([f"state.{name(column)}"] if column else [])
    return f"({' || '.join(parts)})"


def _column(table: Table, wanted: str) -> Column:
    return next(column for column in table.stored_columns if column.name == wanted)
