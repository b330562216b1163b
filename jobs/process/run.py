"""One snapshot on its way through the lake: what it read, what it could not see, and the state it makes."""

import logging
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from functools import cached_property

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from jobs.lake.authority import source_of
from jobs.lake.coverage import is_under, scope_of
from jobs.lake.state import compare, living, rows_to_append
from jobs.lake.write import ClusterLake
from jobs.landing.manifest import Manifest
from jobs.landing.seal import Seal
from schemas.snapshots import Gap, GapReason, SourceStatus
from schemas.table import Table

log = logging.getLogger(__name__)

_TABLES_AT_ONCE = 4
_NOT_COLLECTED = Gap(
    "/", GapReason.NOT_COLLECTED, "the source was not collected: see the log of its collect task"
)


class SnapshotRun:
    """The work on one sealed snapshot. `states` fills as tables are written, `authority` after the raw ones.

    `changed` names the tables that were appended to, `kept` those that stay as they were without being made.
    """

    def __init__(self, lake: ClusterLake, seal: Seal) -> None:
        self.lake = lake
        self.seal = seal
        self.authority = ""
        self.states: dict[str, DataFrame] = {}
        self.changed: set[str] = set()
        self.kept: set[str] = set()

    @cached_property
    def manifests(self) -> Mapping[str, Manifest]:
        """What each source landed, by the source's name."""
        return {manifest.source: manifest for manifest in self.seal.manifests}

    @cached_property
    def captured_at(self) -> datetime:
        """When the last source was read: the time this snapshot stands for."""
        return max(manifest.captured_at for manifest in self.seal.manifests)

    @cached_property
    def gaps(self) -> Mapping[str, tuple[Gap, ...]]:
        """What could not be seen, by the source's name; a source that did not land was not seen at all."""
        landed = {name: manifest.gaps for name, manifest in self.manifests.items()}
        return landed | dict.fromkeys(self.seal.missing, (_NOT_COLLECTED,))

    def source_of(self, table: Table) -> str:
        """The source a table's rows are from in this snapshot."""
        return source_of(table, self.authority)

    def is_read(self, source: str) -> bool:
        return source in self.manifests and self.manifests[source].status != SourceStatus.FAILED

    def unseen(self, table: Table) -> Column:
        """Whether this snapshot did not see a row of `table`, over the table's columns."""
        source = self.source_of(table)
        if not table.scopes:
            return F.lit(False)
        if source not in self.gaps:
            return F.lit(True)
        return is_under(scope_of(table, source), {gap.scope for gap in self.gaps[source]})

    def write_state(self, table: Table, seen: DataFrame, captured_at: datetime) -> None:
        """Compare what was seen with what was before, and append the difference."""
        with_cluster = seen.withColumn("cluster", F.lit(self.lake.cluster))
        # Cut off from what it was made of: plans of plans of plans cost more than all the rows.
        compared = compare(self.lake.before(table), with_cluster, table, self.unseen(table)).localCheckpoint()
        self.states[table.name] = compared
        changes = compared.where("op is not null").count()
        if changes:
            rows = rows_to_append(compared, table, self.lake.snapshot_id, self.lake.era, captured_at)
            self.lake.append(table, rows)
            self.changed.add(table.name)
        log.info("%s: %d rows changed", table.name, changes)

    def before(self, table: Table) -> DataFrame:
        """The living rows of a table before this snapshot: `cluster` and `before`, a struct of the table's columns."""
        if table.name in self.states:
            return self.states[table.name].where("before is not null").select("cluster", "before")
        return self.lake.before(table).select("cluster", F.struct(*table.column_names).alias("before"))

    def now(self, table: Table) -> DataFrame:
        """The living rows of a table after this snapshot: `cluster` and the table's columns."""
        if table.name in self.states:
            return living(self.states[table.name], table)
        return self.lake.before(table).select("cluster", *table.column_names)

    def captured(self, source: str) -> datetime:
        return self.manifests[source].captured_at if source in self.manifests else self.captured_at

    def started(self, source: str) -> datetime:
        return self.manifests[source].started_at if source in self.manifests else self.captured_at


def side_by_side(work: Callable[[Table], None], tables: Iterable[Table]) -> None:
    """Do the work for several tables at once: most of it is waiting for small Spark jobs."""
    with ThreadPoolExecutor(_TABLES_AT_ONCE) as pool:
        for done in [pool.submit(work, table) for table in tables]:
            done.result()
