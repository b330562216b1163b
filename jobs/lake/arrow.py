"""Arrow schemas and tables from the columns of `schemas/`."""

from collections.abc import Iterable, Sequence
from typing import Any

import pyarrow as pa

from jobs.lake.ddl import translated
from schemas.table import Column

_SIMPLE = {
    "STRING": pa.string(),
    "INT": pa.int32(),
    "BIGINT": pa.int64(),
    "DOUBLE": pa.float64(),
    "BOOLEAN": pa.bool_(),
    "TIMESTAMP": pa.timestamp("us", tz="UTC"),
    "DATE": pa.date32(),
}


def arrow_type(spark_type: str) -> pa.DataType:
    """The Arrow type of a Spark DDL type as written in `schemas/`."""
    return translated(spark_type, _SIMPLE.__getitem__, pa.list_, pa.struct)


def arrow_schema(columns: Iterable[Column]) -> pa.Schema:
    """The Arrow schema of a table's columns; required columns are not nullable."""
    return pa.schema([pa.field(c.name, arrow_type(c.type), nullable=not c.required) for c in columns])


def arrow_table(columns: Iterable[Column], rows: Sequence[Sequence[Any]]) -> pa.Table:
    """Rows, each a tuple in the order of the columns, as an Arrow table."""
    schema = arrow_schema(columns)
    values = zip(*rows, strict=True) if rows else ((),) * len(schema)
    arrays = [pa.array(column, type=field.type) for column, field in zip(values, schema, strict=True)]
    return pa.table(arrays, schema=schema)


def in_columns(parts: Sequence[pa.Table], columns: Sequence[Column]) -> pa.Table:
    """All the rows in these columns; null where a part is older than a column."""
    schema = arrow_schema(columns)
    if not any(part.num_rows for part in parts):
        return pa.table([pa.array([], field.type) for field in schema], names=schema.names)
    rows = pa.concat_tables(parts, promote_options="permissive")
    known = [
        rows[field.name].cast(field.type)
        if field.name in rows.column_names
        else pa.nulls(len(rows), field.type)
        for field in schema
    ]
    return pa.table(known, names=schema.names)
