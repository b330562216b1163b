"""One Spark session for all tests that need one: starting it takes ten seconds, tests with it take one."""

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


@pytest.fixture(scope="session")
def spark() -> "Iterator[SparkSession]":
    from jobs.machine.session import spark_session

    session = spark_session("tests")
    yield session
    session.stop()


@pytest.fixture(scope="session")
def frame(spark: "SparkSession") -> "Callable[..., DataFrame]":
    """Rows of a table in `schemas/`, such as `frame("topics", {"topic": "orders"})`; what is not given is null.

    Keywords are columns beside the table's own, with their Arrow types.
    """
    import pyarrow as pa

    from jobs.lake.arrow import arrow_type
    from schemas.registry import tables

    def frame_of(table: str, *rows: Mapping[str, Any], **more: pa.DataType) -> "DataFrame":
        columns = [(column.name, arrow_type(column.type)) for column in tables()[table].columns]
        schema = pa.schema([*columns, *more.items()])
        return spark.createDataFrame(pa.Table.from_pylist(list(rows), schema))

    return frame_of
