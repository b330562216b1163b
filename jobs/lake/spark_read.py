"""Reads the lake with Spark: the same views and answers as DuckDB's, for what is too much for its memory."""

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any

import pyarrow as pa
from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.pandas.types import to_arrow_schema

from jobs.errors import UsageError
from jobs.lake.catalog import timelines_named, views_named
from jobs.lake.read import ROWS_AT_ONCE, LakeReader, Rows, visible
from jobs.lake.sight import Sight
from jobs.lake.spark_sandbox import ask, explain, locked
from jobs.lake.spark_views import create_views
from jobs.machine.session import suit
from jobs.storage import Storage

_OF_ANSWERS = {
    # One partition of an answer is in memory at a time: many of them, merged until each is worth a task.
    "spark.sql.shuffle.partitions": "200",
    "spark.sql.adaptive.coalescePartitions.parallelismFirst": "false",
    "spark.sql.adaptive.advisoryPartitionSizeInBytes": "16MB",
    "spark.sql.execution.arrow.maxRecordsPerBatch": str(ROWS_AT_ONCE),
}


class SparkReader(LakeReader):
    """The same as a LakeReader, asked in Spark's SQL: in a session of its own, beside the one it is given."""

    def __init__(
        self,
        spark: SparkSession,
        storage: Storage,
        sights: Sequence[Sight],
        without_snapshot: tuple[str, ...],
    ) -> None:
        super().__init__(sights, without_snapshot)
        self._storage = storage
        self._spark = locked(spark)
        suit(self._spark, is_large=True)
        for key, value in _OF_ANSWERS.items():
            self._spark.conf.set(key, value)
        # What is wrong with a query is told once, and not by a logger of Spark's.
        logging.getLogger("SQLQueryContextLogger").disabled = True

    @contextmanager
    def rows(self, sql: str) -> Iterator[Rows]:
        """The answer as it is computed, some rows at a time. Raises as `query` does."""
        with self.batches(sql) as batches:
            columns = tuple(batches.schema.names)
            yield Rows(columns, (_tuples(batch) for batch in batches))

    @contextmanager
    def batches(self, sql: str) -> Iterator[pa.RecordBatchReader]:
        """The answer as Arrow, some rows at a time. Raises as `query` does."""
        try:
            create_views(self._spark, self._storage, self._sights, views_named(sql))
            frame = ask(self._spark, sql)
            schema = to_arrow_schema(frame.schema)
            yield pa.RecordBatchReader.from_batches(schema, _batches(frame, schema))
        except PySparkException as error:
            of_duckdb = ", ".join(timelines_named(sql))
            hint = f"; {of_duckdb}: answered without --engine spark" if of_duckdb else ""
            raise UsageError(f"{explain(error)}{hint}") from error
        except Py4JJavaError as error:
            raise UsageError(explain(error.java_exception.getMessage())) from error


def _batches(frame: DataFrame, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """The rows, of which one partition is in the driver's memory at a time; `toArrow` would bring them all."""
    batches = frame._jdf.toArrowBatchRdd().toLocalIterator()
    while batches.hasNext():
        yield pa.ipc.read_record_batch(pa.py_buffer(batches.next()), schema)


def _tuples(batch: pa.RecordBatch) -> list[tuple[Any, ...]]:
    return list(zip(*(column.to_pylist() for column in batch.columns), strict=True))


def open_spark_reader(
    spark: SparkSession, storage: Storage, clusters: Sequence[str], at: datetime | str | None = None
) -> SparkReader:
    """What is committed of these clusters, now or at an instant or snapshot id, for a session to ask. Raises as `open_reader`."""
    return SparkReader(spark, storage, *visible(storage, clusters, at))
