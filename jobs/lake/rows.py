"""Rows that DuckDB is asked about: few lie in the driver's memory, many are read from the lake by each query."""

from typing import TypeAlias

import duckdb
import pyarrow as pa

from jobs.lake.duckdb_sql import name

Rows: TypeAlias = pa.Table | str
"""Rows in memory, or the SELECT that reads them from files: of those a query takes only the columns that it names."""


def show(cursor: duckdb.DuckDBPyConnection, known_as: str, rows: Rows) -> None:
    """Let the queries of a cursor read rows by a name."""
    if isinstance(rows, str):
        cursor.execute(f"CREATE TEMP VIEW {name(known_as)} AS {rows}")
    else:
        cursor.register(known_as, rows)
