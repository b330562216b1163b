"""A key stands for one thing: where it comes twice, one row is kept, and the row says so."""

import logging

import duckdb
import pyarrow as pa

from jobs.lake.arrow import in_columns
from jobs.lake.duckdb_sql import name, names
from jobs.many_rows import are_many
from schemas.table import PROBLEM, Table

log = logging.getLogger(__name__)


def one_row_a_key(connection: duckdb.DuckDBPyConnection, rows: pa.Table, table: Table) -> pa.Table:
    """The rows, in the table's columns, of each key one: otherwise Spark would count two things and DuckDB one.

    Of several rows the first in the order of all their columns stays, whatever order they came in. A table with the
    column `problem` says there how many had the key; of every table it is logged.
    """
    surplus = rows.num_rows - _keys(connection, rows, table)
    if not surplus:
        return rows
    log.warning("%s: of rows with the same key only one is kept, %d left out", table.name, surplus)
    with connection.cursor() as cursor:
        cursor.register("rows", rows)
        return in_columns([cursor.sql(_first_of_each_key(table)).to_arrow_table()], table.columns)


def _keys(connection: duckdb.DuckDBPyConnection, rows: pa.Table, table: Table) -> int:
    if not table.key:
        return min(int(rows.num_rows), 1)
    if are_many(rows.num_rows):
        with connection.cursor() as cursor:
            cursor.register("rows", rows)
            ((keys,),) = cursor.sql(
                f"SELECT count(*) FROM (SELECT DISTINCT {names(table.key)} FROM rows)"
            ).fetchall()
        return int(keys)
    return int(rows.select(table.key).group_by(list(table.key)).aggregate([]).num_rows)


def _first_of_each_key(table: Table) -> str:
    key = f"PARTITION BY {names(table.key)}" if table.key else ""
    told = "count(*) OVER of_key || ' rows have this key, and one of them is kept'"
    problem = f"CASE WHEN count(*) OVER of_key > 1 THEN concat_ws('; ', problem, {told}) ELSE problem END"
    columns = ", ".join(
        f"{problem} AS {name(column.name)}" if column.name == PROBLEM.name else name(column.name)
        for column in table.columns
    )
    return (
        f"SELECT {columns} FROM rows WINDOW of_key AS ({key}) "
        f"QUALIFY row_number() OVER ({key} ORDER BY {names(table.column_names)}) = 1"
    )
