"""The only writer of the lake: Delta appends, each once per snapshot and table."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from jobs.lake.arrow import arrow_table
from jobs.lake.ddl import create_table_ddl
from jobs.lake.layout import table_path
from jobs.lake.state import latest_rows
from jobs.storage import Storage
from schemas.snapshots import COVERAGE_GAPS, SNAPSHOTS, SourceStatus
from schemas.table import Column, Table


@dataclass(frozen=True)
class Commit:
    """A committed snapshot: which sources it read, and which scopes of each it did not see."""

    snapshot_id: str
    captured_at: datetime
    sources: frozenset[str]
    gaps: dict[str, frozenset[str]]
    authority: str
    varve_version: str


class ClusterLake:
    """The Delta tables of one cluster, as the snapshot `snapshot_id` finds and extends them."""

    def __init__(self, spark: SparkSession, storage: Storage, cluster: str, snapshot_id: str) -> None:
        self.spark = spark
        self.cluster = cluster
        self.snapshot_id = snapshot_id
        self._storage = storage

    @cached_property
    def commits(self) -> list[Commit]:
        """The committed snapshots, the oldest first."""
        return self._read_commits()

    @cached_property
    def _committed(self) -> DataFrame:
        """The ids of the committed snapshots; a year has 50,000, too many to be literals of a condition."""
        ids = [(commit.snapshot_id,) for commit in self.commits if commit.snapshot_id <= self.snapshot_id]
        column = Column("written_by", "STRING", "committed snapshot", required=True)
        return self.spark.createDataFrame(arrow_table([column], ids))

    @property
    def era(self) -> str:
        """The era this snapshot's rows belong to: the one the first commit opened, or a new one."""
        return self.commits[0].snapshot_id if self.commits else self.snapshot_id

    def path(self, table: Table) -> str:
        return self._storage.location(table_path(self.cluster, table.name))

    def rows(self, table: Table) -> DataFrame:
        """All rows of a table as stored, null in columns younger than they are; none when it was never written."""
        if not self._is_created(table):
            return self.spark.createDataFrame(arrow_table(table.stored_columns, []))
        stored = self.spark.read.format("delta").load(self.path(table))
        younger = [column for column in table.stored_columns if column.name not in stored.columns]
        return stored.withColumns({column.name: F.lit(None).cast(column.type) for column in younger})

    def history(self, table: Table) -> DataFrame:
        """The rows of a state table that committed snapshots wrote, this one if it is committed."""
        return self.rows(table).join(F.broadcast(self._committed), on="written_by", how="left_semi")

    def before(self, table: Table) -> DataFrame:
        """The living rows of a state table before this snapshot; see `latest_rows`."""
        return latest_rows(self.history(table), table)

    def written(self, table: Table) -> DataFrame:
        """The rows of a state table that this snapshot wrote."""
        return self.rows(table).where(F.col("written_by") == self.snapshot_id)

    def append(self, table: Table, rows: DataFrame) -> None:
        """Append rows in one transaction; a second append of this snapshot to the table does nothing."""
        if not self._is_created(table):
            self._storage.delete(self._log(table))  # of a creation that was cut off
            self.spark.sql(create_table_ddl(table, self.path(table)))
        (
            rows.select([column.name for column in table.stored_columns])
            .coalesce(1)
            .write.format("delta")
            .mode("append")
            .option("txnAppId", f"varve {self.cluster} {table.name} {self.snapshot_id}")
            .option("txnVersion", 1)
            .option("mergeSchema", "true")
            .save(self.path(table))
        )

    def _is_created(self, table: Table) -> bool:
        """Whether the table's creation was committed; a process killed during it leaves an empty log."""
        return any(path.endswith(".json") for path in self._storage.list(self._log(table)))

    def _log(self, table: Table) -> str:
        return f"{table_path(self.cluster, table.name)}/_delta_log"

    def append_log(self, table: Table, rows: DataFrame) -> None:
        """Append rows of a log table (its own columns) under this snapshot."""
        self.append(table, self._stamped(rows))

    def append_series(self, table: Table, rows: DataFrame, captured_at: datetime) -> None:
        """Append rows of a series table (its own columns) that were read at `captured_at`."""
        instant = F.lit(captured_at).cast("timestamp")
        self.append(
            table, self._stamped(rows).withColumns({"captured_at": instant, "day": F.to_date(instant)})
        )

    def frame(self, table: Table, rows: Sequence[tuple[object, ...]]) -> DataFrame:
        """A DataFrame of a table's own columns; through Arrow, which needs no Python worker."""
        return self.spark.createDataFrame(arrow_table(table.columns, rows))

    def _stamped(self, rows: DataFrame) -> DataFrame:
        return rows.withColumns(
            {"cluster": F.lit(self.cluster), "snapshot_id": F.lit(self.snapshot_id), "generation": F.lit(0)}
        )

    def _read_commits(self) -> list[Commit]:
        snapshots = (
            self.rows(SNAPSHOTS)
            .select(
                "snapshot_id",
                "captured_at",
                "authority",
                "varve_version",
                "sources.source",
                "sources.status",
            )
            .collect()
        )
        gaps = (
            self.rows(COVERAGE_GAPS).select("snapshot_id", "source", "scope").collect() if snapshots else []
        )
        found: dict[tuple[str, str], set[str]] = {}
        for gap in gaps:
            found.setdefault((gap.snapshot_id, gap.source), set()).add(gap.scope)
        return sorted(
            (
                Commit(
                    row.snapshot_id,
                    row.captured_at,
                    frozenset(
                        s
                        for s, status in zip(row.source, row.status, strict=True)
                        if status != SourceStatus.FAILED
                    ),
                    {s: frozenset(found.get((row.snapshot_id, s), ())) for s in row.source},
                    row.authority,
                    row.varve_version,
                )
                for row in snapshots
            ),
            key=lambda commit: commit.snapshot_id,
        )
