"""What the function of a source leaves out is unknown; what it makes wrong is refused."""

import pytest
from pyspark.sql import SparkSession

from jobs.tables.parts.conform import conform
from schemas.table import Column, Kind, Table

THINGS = Table(
    name="things",
    kind=Kind.STATE,
    meaning="things",
    key=("name",),
    columns=(
        Column("name", "STRING", "its name", required=True),
        Column("size", "BIGINT", "how big it is"),
        Column("replicas", "ARRAY<INT>", "where it is"),
        Column("ranges", "ARRAY<STRUCT<first: INT, last: INT>>", "what it holds"),
    ),
)


def test_columns_come_in_the_tables_order_and_unknown_ones_are_null_of_their_type(
    spark: SparkSession,
) -> None:
    made = conform(spark.sql("SELECT array(3, 1) AS replicas, 'orders' AS name"), THINGS)
    assert made.dtypes == [
        ("name", "string"),
        ("size", "bigint"),
        ("replicas", "array<int>"),
        ("ranges", "array<struct<first:int,last:int>>"),
    ]
    assert made.collect() == [("orders", None, [3, 1], None)]


@pytest.mark.parametrize(
    ("columns", "refused"),
    [
        ("'orders' AS name, 7 AS weight", r"things: \['weight'\] are not columns of it"),
        ("7L AS size", r"things: the required columns \['name'\] are missing"),
        ("'orders' AS name, 7 AS size", "things: size is int, not bigint"),
        ("'orders' AS name, null AS size", "things: size is void, not bigint"),
        (
            "'orders' AS name, array(named_struct('first', 1, 'end', 2)) AS ranges",
            "things: ranges is array<struct<first:int,end:int>>, not array<struct<first:int,last:int>>",
        ),
    ],
)
def test_a_stray_column_a_missing_required_one_and_one_of_another_type_are_refused(
    columns: str, refused: str, spark: SparkSession
) -> None:
    with pytest.raises(ValueError, match=refused):
        conform(spark.sql(f"SELECT {columns}"), THINGS)
