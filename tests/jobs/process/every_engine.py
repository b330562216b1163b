"""The rows that lie in a lake's Delta tables, seen or not, as each engine reads them from the tables' logs."""

import hashlib
from collections.abc import Callable

import pyarrow as pa
from deltalake import DeltaTable
from pyspark.sql import SparkSession

from jobs.lake.arrow import in_columns
from jobs.lake.files import fetched, stored_files
from jobs.lake.layout import table_path
from jobs.lake.sandbox import open_sandbox
from jobs.lake.views import rows
from jobs.storage import Storage
from schemas.registry import tables
from schemas.table import Table

Read = Callable[[Table], pa.Table]
Found = dict[str, tuple[int, str]]
"""By table how many rows it has, and a digest of them."""


def by_spark(spark: SparkSession, storage: Storage, cluster: str) -> Found:
    def read(table: Table) -> pa.Table:
        return spark.read.format("delta").load(storage.location(table_path(cluster, table.name))).toArrow()

    return _found(storage, cluster, read)


def by_deltalake(storage: Storage, cluster: str) -> Found:
    def read(table: Table) -> pa.Table:
        location = storage.location(table_path(cluster, table.name))
        return DeltaTable(location, storage_options=storage.options).to_pyarrow_table()

    return _found(storage, cluster, read)


def by_duckdb(storage: Storage, cluster: str) -> Found:
    def read(table: Table) -> pa.Table:
        with open_sandbox() as connection:
            files = fetched(stored_files(storage, cluster, table.name))
            return connection.sql(rows(table, files)).to_arrow_table()

    return _found(storage, cluster, read)


def versions(storage: Storage, cluster: str, table: str) -> list[int]:
    """The versions of which a table's log has the entry, the oldest first."""
    log = f"{table_path(cluster, table)}/_delta_log/"
    names = (path.removeprefix(log) for path in storage.list(log.removesuffix("/")))
    return sorted(int(name.removesuffix(".json")) for name in names if name.endswith(".json"))


def _found(storage: Storage, cluster: str, read: Read) -> Found:
    there = [table for name, table in tables().items() if versions(storage, cluster, name)]
    return {table.name: _digest(in_columns([read(table)], table.stored_columns)) for table in there}


def _digest(rows: pa.Table) -> tuple[int, str]:
    lines = sorted(map(repr, rows.to_pylist()))
    return len(lines), hashlib.sha256("\n".join(lines).encode("utf-8")).hexdigest()
