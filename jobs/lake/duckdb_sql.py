"""How DuckDB spells literals, identifiers and types."""

from collections.abc import Iterable
from datetime import datetime

from jobs.lake.ddl import translated

_TYPES = {"STRING": "VARCHAR", "INT": "INTEGER", "TIMESTAMP": "TIMESTAMPTZ"}


def text(value: str) -> str:
    """A SQL string literal."""
    return "'" + value.replace("'", "''") + "'"


def name(identifier: str) -> str:
    """A quoted SQL identifier."""
    return '"' + identifier.replace('"', '""') + '"'


def names(columns: Iterable[str]) -> str:
    """Quoted SQL identifiers, with commas between them."""
    return ", ".join(name(column) for column in columns)


def union(selects: Iterable[str]) -> str:
    """All the rows of several SELECTs."""
    return " UNION ALL ".join(f"({select})" for select in selects)


def duckdb_type(spark_type: str) -> str:
    """DuckDB's name of a Spark DDL type as written in `schemas/`."""
    return translated(
        spark_type,
        simple=lambda of: _TYPES.get(of, of),
        array=lambda element: f"{element}[]",
        struct=lambda members: f"STRUCT({', '.join(f'{name(member)} {of}' for member, of in members)})",
    )


def instant_of(at: datetime | str, cluster: str) -> str:
    """An instant as it is; of a snapshot id when the newest snapshot up to that id was captured, in the cluster.

    The second needs the view `snapshots`. `cluster` is SQL.
    """
    if isinstance(at, datetime):
        return f"{text(at.isoformat())}::TIMESTAMPTZ"
    newest = f"SELECT max(s.captured_at) FROM snapshots AS s WHERE s.cluster = {cluster} AND s.snapshot_id <= {text(at)}"
    return f"coalesce(({newest}), '-infinity'::TIMESTAMPTZ)"
