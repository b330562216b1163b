"""Rows in the driver's memory as DataFrames."""

from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import uuid4

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import DataFrame, SparkSession

from jobs.machine.session import suit
from jobs.many_rows import MANY_ROWS, are_many
from jobs.storage import LocalDisk, Storage


class LocalRows:
    """Makes DataFrames of rows in the driver's memory; they can be read as long as this object lives.

    Many rows are read from files: in a folder of this host, or in that `folder` of the lake where Spark's executors run
    on other hosts.
    """

    def __init__(self, spark: SparkSession, storage: Storage, folder: str) -> None:
        self._spark = spark
        self._storage = storage
        self._folder = folder
        self._here = TemporaryDirectory(prefix="varve-")
        _free_at_once()

    def suit(self, rows: int) -> None:
        """Prepare the session for so many rows in all."""
        suit(self._spark, are_many(rows))

    def clear(self) -> None:
        """Delete the files in the lake, and those that a driver left there which was killed.

        Raises SnapshotRefusedError when the cluster's lock was lost: the files may be another driver's.
        """
        if self._is_shared:
            self._storage.check_locks()
            self._storage.delete_folder(self._folder)

    def frame(self, rows: pa.Table) -> DataFrame:
        """Rows as a DataFrame; few of them in one partition, so that no join has to shuffle, and they are one file in the lake.

        Many are read from a file: in the JVM they would lie twice, and each reading would unpack every column. Spark splits
        it by its size and by the cores that there are, and so is what is made of it.
        """
        if are_many(rows.num_rows):
            path, content = f"{uuid4()}.parquet", pa.BufferOutputStream()
            pq.write_table(rows, content, row_group_size=MANY_ROWS, compression="lz4")
            self._files.write(path, content.getvalue().to_pybytes())
            return self._spark.read.parquet(self._files.location(path))
        # Rows of no chunk at all, as a filter may leave them, have no type for Spark, and it reads no further than an empty chunk.
        whole = rows.combine_chunks() if rows.num_rows else rows.schema.empty_table()
        return self._spark.createDataFrame(whole).coalesce(1)

    @property
    def here(self) -> str:
        """A folder of this host that is there as long as this object lives."""
        return self._here.name

    @cached_property
    def _is_shared(self) -> bool:
        """Whether executors run on other hosts, which do not see the folders of this one."""
        return not self._spark.sparkContext._jsc.sc().isLocal()

    @cached_property
    def _files(self) -> Storage:
        return self._storage.inside(self._folder) if self._is_shared else LocalDisk(Path(self.here))


def _free_at_once() -> None:
    """Have Arrow give memory back as soon as it is free: a large cluster's rows come and go while Spark waits for them."""
    if "jemalloc" in pa.supported_memory_backends():
        pa.set_memory_pool(pa.jemalloc_memory_pool())
        pa.jemalloc_set_decay_ms(0)
