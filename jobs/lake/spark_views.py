"""The views of a cluster's tables in a Spark session: anyone's who wants to ask the lake there."""

from datetime import datetime

from pyspark.sql import SparkSession

from jobs.lake import plain_sql
from jobs.lake.files import delta_table
from jobs.lake.layout import table_path
from jobs.storage import Location, Storage, open_storage
from schemas.registry import tables
from schemas.snapshots import SNAPSHOTS
from schemas.table import Kind

_STORED = "varve_{table}"
"""The Delta table itself, beside its views."""
_SPARK = plain_sql.Engine("`", _STORED)


def register_views(
    spark: SparkSession, lake: Location, cluster: str, at: datetime | None = None
) -> list[str]:
    """Create the temporary views `X` and `X_history` of every table of a cluster that was written; gives their names.

    With `at`, an aware datetime, `X` is the state at the newest snapshot captured by then. The session needs Delta Lake.
    They show what is committed when they are asked.
    """
    storage = open_storage(lake)
    written = [table for table in tables().values() if delta_table(storage, cluster, table.name)]
    if SNAPSHOTS not in written:
        return []
    for table in written:
        _stored(spark, storage, cluster, table.name)
    selects: dict[str, str] = {}
    for table in written:
        is_state = table.kind is Kind.STATE
        now = plain_sql.now(table, _SPARK)
        selects[table.name] = plain_sql.at(table, _SPARK, _literal(at)) if at and is_state else now
        if is_state:
            selects[f"{table.name}_history"] = plain_sql.history(table, _SPARK)
    for name, select in selects.items():
        spark.sql(select).createOrReplaceTempView(name)
    return sorted(selects)


def _stored(spark: SparkSession, storage: Storage, cluster: str, table: str) -> None:
    path = storage.location(table_path(cluster, table))
    spark.read.format("delta").load(path).createOrReplaceTempView(_STORED.format(table=table))


def _literal(instant: datetime) -> str:
    return f"TIMESTAMP '{instant.isoformat()}'"
