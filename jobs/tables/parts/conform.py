"""What a table's function made, as the table in `schemas/` declares it."""

from typing import cast

from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from pyspark.sql import types as T

from jobs.lake.ddl import columns_ddl
from schemas.table import Table


def conform(rows: DataFrame, table: Table) -> DataFrame:
    """The table's columns in their order; a column that the rows lack is unknown to their source and becomes null.

    Raises ValueError when the rows have a column that the table lacks or one of another type, and when they lack
    one that is required.
    """
    made = dict(rows.dtypes)
    _check(made, table)
    return rows.select(
        *[
            column.name if column.name in made else F.lit(None).cast(column.type).alias(column.name)
            for column in table.columns
        ]
    )


def _check(made: dict[str, str], table: Table) -> None:
    if stray := made.keys() - set(table.column_names):
        raise ValueError(f"{table.name}: {sorted(stray)} are not columns of it")
    required = {column.name for column in table.columns if column.required}
    if missing := required - made.keys():
        raise ValueError(f"{table.name}: the required columns {sorted(missing)} are missing")
    declared = cast(T.StructType, T.DataType.fromDDL(columns_ddl(table.columns)))
    types = {field.name: field.dataType.simpleString() for field in declared}
    if wrong := [
        f"{name} is {kind}, not {types[name]}" for name, kind in made.items() if kind != types[name]
    ]:
        raise ValueError(f"{table.name}: {'; '.join(wrong)}")
