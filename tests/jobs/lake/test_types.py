"""A type of `schemas/` means the same to Spark, to Arrow and to DuckDB."""

import duckdb
import pytest
from pyspark.sql import SparkSession
from pyspark.sql.pandas.types import from_arrow_type
from pyspark.sql.types import DataType

from jobs.lake.arrow import arrow_type
from jobs.lake.duckdb_sql import duckdb_type
from schemas.registry import tables

TYPES = sorted({column.type for table in tables().values() for column in table.stored_columns})


@pytest.mark.parametrize("spark_type", TYPES)
def test_a_type_has_one_meaning(spark: SparkSession, spark_type: str) -> None:
    assert from_arrow_type(arrow_type(spark_type)) == DataType.fromDDL(spark_type), spark.version

    connection = duckdb.connect()
    connection.execute("SET TimeZone = 'UTC'")
    answer = connection.sql(f"SELECT NULL::{duckdb_type(spark_type)} AS value").to_arrow_table()
    assert answer.schema.field("value").type == arrow_type(spark_type)


def test_a_struct_in_an_array_is_named_by_every_engine() -> None:
    assert duckdb_type("ARRAY<STRUCT<epoch: INT, seen_at: TIMESTAMP>>") == (
        'STRUCT("epoch" INTEGER, "seen_at" TIMESTAMPTZ)[]'
    )
    assert str(arrow_type("ARRAY<STRUCT<epoch: INT, seen_at: TIMESTAMP>>")) == (
        "list<item: struct<epoch: int32, seen_at: timestamp[us, tz=UTC]>>"
    )
