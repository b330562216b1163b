"""The views of some clusters' tables in a Spark session: anyone's who wants to ask the lake there."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import datetime

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from jobs.lake import plain_sql
from jobs.lake.authority import source_of
from jobs.lake.catalog import all_views
from jobs.lake.coverage import Sql, is_unseen
from jobs.lake.files import stored_files
from jobs.lake.layout import table_path
from jobs.lake.read import visible
from jobs.lake.sight import Sight
from jobs.storage import Location, Storage, open_storage
from schemas.registry import tables
from schemas.snapshots import SNAPSHOTS
from schemas.table import Kind, Table


@dataclass(frozen=True)
class _Spark(plain_sql.Engine):
    """Spark, in which `{table}` in `reference` shows the rows that `_seen_rows` gives."""

    def rows(self, table: Table) -> str:
        return f"{self.reference.format(table=table.name)} AS stored"


def register_views(
    spark: SparkSession, lake: Location, clusters: Sequence[str], at: datetime | str | None = None
) -> list[str]:
    """Create the views of every table that these clusters wrote in a session that has Delta Lake; gives their names.

    `X` and `X_history` are temporary views, `X_at(T)` is a temporary function. They show each cluster's newest committed
    snapshot, or with `at` the newest by an instant (an aware datetime) or snapshot id; another call shows what came later.
    Raises NoSnapshotError when there is none.
    """
    storage = open_storage(lake)
    sights, _ = visible(storage, clusters, at)
    written = {
        name: views
        for name, views in all_views().items()
        if any(stored_files(storage, sight.cluster, name) for sight in sights)
    }
    create_views(spark, storage, sights, written)
    return sorted(view for views in written.values() for view in views)


def create_views(
    spark: SparkSession, storage: Storage, sights: Sequence[Sight], named: Mapping[str, Set[str]]
) -> None:
    """Create the views that are named for each table, over every cluster that is seen."""
    for sight in sights:
        for name in {*named, SNAPSHOTS.name} if named else ():
            rows = _seen_rows(spark, storage, sight, tables()[name])
            rows.createOrReplaceTempView(_stored(sight).format(table=name))
    for name, views in named.items():
        for view in views:
            select = " UNION ALL ".join(_select(tables()[name], view, sight) for sight in sights)
            if view == f"{name}_at":
                spark.sql(
                    f"CREATE OR REPLACE TEMPORARY FUNCTION {view}(instant TIMESTAMP) RETURNS TABLE RETURN {select}"
                )
            else:
                spark.sql(select).createOrReplaceTempView(view)


def _stored(sight: Sight) -> str:
    return f"`varve_{sight.cluster}_{{table}}`"


def _seen_rows(spark: SparkSession, storage: Storage, sight: Sight, table: Table) -> DataFrame:
    """A table's rows of the generation that counts, in exactly the columns of its schema; of `snapshots` those seen.

    So all views show the same snapshot, whatever is committed while they are asked.
    """
    types = ", ".join(f"CAST(NULL AS {each.type}) AS `{each.name}`" for each in table.stored_columns)
    nothing = spark.sql(f"SELECT {types} WHERE false")
    files = sight.files(table)
    if not files:
        return nothing
    stored = spark.read.format("delta").load(storage.location(table_path(sight.cluster, table.name)))
    rows = stored.where(F.col("generation") == files[0].generation)
    if table is SNAPSHOTS:
        rows = rows.where(F.col("snapshot_id") <= sight.newest.snapshot_id)
    return nothing.unionByName(rows, allowMissingColumns=True).select(nothing.columns)


def _select(table: Table, view: str, sight: Sight) -> str:
    """A view of one cluster, whose name is written there: a question for another cluster reads nothing of this one."""
    engine = _Spark("`", _stored(sight))
    more = ""
    if view == f"{table.name}_history":
        rows = plain_sql.history(table, engine)
    elif view == f"{table.name}_at":
        rows = plain_sql.at_any(table, engine, "instant")
    else:
        rows = plain_sql.now(table, engine)
        if table.kind is Kind.STATE and table.scopes:
            source = source_of(table, sight.newest.authority)
            more = f", NOT {is_unseen(table, source, sight.unseen, _SPARK_SQL)} AS is_current"
    return f"SELECT '{sight.cluster}' AS cluster, * EXCEPT (cluster){more} FROM ({rows}) AS state"


def _text(value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


_SPARK_SQL = Sql(
    _text,
    lambda column: f"`{column}`",
    lambda scope, slashes: f"substring_index({scope}, '/', {slashes + 1})",
)
