"""Rows in the driver's memory as DataFrames."""

from tempfile import TemporaryDirectory
from uuid import uuid4

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import DataFrame, SparkSession

from jobs.machine.session import suit

MANY_ROWS = 20_000
"""Rows from which on Spark earns what it costs to generate code, to spread the work and to open a file."""


class LocalRows:
    """Makes DataFrames of rows in the driver's memory; they can be read as long as this object lives."""

    def __init__(self, spark: SparkSession) -> None:
        self._spark = spark
        self._folder = TemporaryDirectory(prefix="varve-")
        self._is_large = False

    def suit(self, rows: int) -> None:
        """Prepare the session for so many rows in all."""
        self._is_large = rows > MANY_ROWS
        suit(self._spark, self._is_large)

    def frame(self, rows: pa.Table) -> DataFrame:
        """Rows as a DataFrame; few of them in one partition, so that no join has to shuffle.

        Many are read from a file: in the JVM they would lie twice, and each reading would unpack every column.
        """
        if rows.num_rows > MANY_ROWS:
            path = f"{self._folder.name}/{uuid4()}.parquet"
            pq.write_table(rows, path, row_group_size=MANY_ROWS, compression="lz4")
            return self._spark.read.parquet(path)
        # Rows of no chunk at all, as a filter may leave them, have no type for Spark, and it reads no further than an empty chunk.
        whole = rows.combine_chunks() if rows.num_rows else rows.schema.empty_table()
        frame = self._spark.createDataFrame(whole)
        return frame if self._is_large else frame.coalesce(1)
