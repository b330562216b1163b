"""How DuckDB spells literals, identifiers and types."""

from collections.abc import Iterable

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
