"""Tables of a few rows, run through the real suites by the real Great Expectations on Spark."""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

import pyarrow as pa
import pytest
from pyspark.sql import DataFrame, SparkSession

from expectations.validate import validate
from jobs.lake.arrow import arrow_type
from schemas.registry import tables

Row = Mapping[str, Any]


@pytest.fixture
def frame_of(spark: SparkSession) -> Callable[..., DataFrame]:
    """A table's frame from rows of some of its columns; the others are null."""

    def frame(table: str, *rows: Row) -> DataFrame:
        schema = pa.schema([pa.field(c.name, arrow_type(c.type)) for c in tables()[table].columns])
        return spark.createDataFrame(pa.Table.from_pylist(list(rows), schema))

    return frame


@pytest.fixture
def broken_by(frame_of: Callable[..., DataFrame]) -> Callable[..., dict[str, str | None]]:
    """The table's own special expectations that do not hold of the rows, with what was observed."""

    def broken(table: str, *rows: Row) -> dict[str, str | None]:
        special = {rule.text for rule in import_module(f"expectations.{table}").RULES}
        results = validate({table: frame_of(table, *rows)})
        return {row[1]: row[5] for row in results if row[1] in special and not row[4]}

    return broken
