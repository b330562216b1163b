"""Rows in the driver's memory, as Spark reads them."""

from pathlib import Path

import pyarrow as pa
import pytest
from pyspark.sql import SparkSession

from jobs.machine.local_rows import LocalRows
from jobs.storage import LocalDisk


def _chunk(*values: str) -> pa.Table:
    return pa.table({"topic": pa.array(values, pa.string())})


@pytest.mark.parametrize("is_large", [False, True])
def test_no_row_is_lost_behind_a_chunk_that_is_empty(
    spark: SparkSession, tmp_path: Path, is_large: bool
) -> None:
    local = LocalRows(spark, LocalDisk(tmp_path), "work")
    local.suit(1_000_000 if is_large else 1)
    parts = pa.concat_tables([_chunk("audit"), _chunk(), _chunk("orders", "payments")])
    filtered = pa.concat_tables([_chunk("audit"), _chunk("x"), _chunk("orders")])
    kept = filtered.filter(pa.array([True, False, True]))
    rows = [[row.topic for row in local.frame(each).collect()] for each in (parts, kept, _chunk())]
    local.suit(1)
    assert [sorted(each) for each in rows] == [["audit", "orders", "payments"], ["audit", "orders"], []]
