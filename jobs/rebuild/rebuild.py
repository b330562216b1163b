"""`varve rebuild`: typed tables, events and findings of the past, made again of the raw tables with today's code."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pyarrow as pa
from pyspark.sql import SparkSession

from jobs.errors import SnapshotRefusedError, UsageError
from jobs.lake.commits import Commit
from jobs.lake.files import delta_table, stored_files
from jobs.lake.layout import tables_folder
from jobs.lake.once import REBUILD, newest_done
from jobs.lake.sandbox import open_sandbox
from jobs.lake.sight import Sight
from jobs.lake.stored import StoredRows
from jobs.lake.write import DeltaTables
from jobs.landing.order import only_writer
from jobs.landing.rebuilds import begin_rebuild, end_rebuild, give_up_rebuilds, rebuilt_tables
from jobs.landing.seals import list_seals
from jobs.machine.s3a import explained_by_s3a
from jobs.machine.session import spark_session
from jobs.process.pipeline import era_limits
from jobs.process.state import TABLES_AT_ONCE
from jobs.process.version import code_version
from jobs.rebuild.committed_input import attempt_of
from jobs.rebuild.generation import Generation
from jobs.rebuild.raw_past import RawPast
from jobs.rebuild.replay import Replay, stretches
from jobs.settings import Settings
from jobs.side_by_side import side_by_side
from jobs.storage import Storage, open_storage
from schemas.registry import derived, tables
from schemas.snapshots import SNAPSHOTS
from schemas.table import Table

_NOBODY = "-"
"""An attempt that no commit names."""


@dataclass(frozen=True)
class Rebuilt:
    """What a rebuild made: the number of the generation, its rows by table, and of how many snapshots."""

    generation: int
    rows: dict[str, int]
    snapshots: int


def rebuild(
    settings: Settings, cluster: str, table: str | None = None, spark: SparkSession | None = None
) -> Rebuilt:
    """Make every derived table, the events, the findings and `whatif` of a cluster again; with `table` that derived table alone.

    They are a new generation, which one append to `snapshots` makes visible: until then nothing changes for a reader,
    and a rebuild that ended early is begun anew. Raw tables, series and gaps stay as they are. What retention has dropped
    of the raw tables cannot be made again: the past begins where all of them are known.

    Raises UsageError when nothing is committed or `table` is none that is derived, SnapshotRefusedError when another
    process is writing the cluster's tables.
    """
    remade = _chosen(table)
    opened = open_storage(settings.lake)
    with explained_by_s3a(settings.lake), only_writer(opened, settings.cluster(cluster).name):
        storage = opened.settled(tables_folder(cluster))
        give_up_rebuilds(storage, cluster, list_seals(storage, cluster))
        sight = Sight(storage, cluster)
        if not sight.last:
            raise UsageError(
                f"{storage.location('')} has no snapshot of {cluster} yet, so there is no past to rebuild: run varve snapshot"
            )
        number = _begin(storage, cluster, sight.last.generation)
        spark = spark or spark_session(f"rebuild {cluster}", settings.lake, settings.spark)
        stored = StoredRows(storage, sight)
        past, commits = RawPast(stored), stored.committed(SNAPSHOTS).sort_by("snapshot_id")
        kept = [row for row in commits.to_pylist() if attempt_of(row) >= past.start]
        limits = era_limits(settings.history)
        generation = Generation(number, remade, limits, attempt_of(kept[0]), open_sandbox())
        replay = Replay(spark, storage, cluster, past, generation, settings.cluster(cluster).rules)
        for stretch in stretches(sight, kept, past):
            replay.go_through(stretch)
        lake = DeltaTables(spark, storage, cluster, sight.last.snapshot_id, sight.last.written_by)
        _append(lake, stored, generation)
        _commit(lake, commits, sight.last, number, is_whole=table is None)
        end_rebuild(storage, cluster, number)
    rows = {each.name: generation.rows(each).num_rows for each in remade}
    return Rebuilt(number, rows, len(kept))


def _chosen(name: str | None) -> list[Table]:
    by_name = {table.name: table for table in derived()}
    if name is None:
        return rebuilt_tables()
    if name in by_name:
        return [by_name[name]]
    raise UsageError(
        f"{name} is no table that is made from raw tables, so it cannot be rebuilt by itself; those are {', '.join(by_name)}"
    )


def _begin(storage: Storage, cluster: str, current: int) -> int:
    """Begin a rebuild, after those before it that did not end; gives the number of a generation that none of them had."""
    newest = _drop_unfinished(storage, cluster, current)
    number = max(newest, newest_done(storage, cluster, SNAPSHOTS.name, REBUILD)) + 1
    begin_rebuild(storage, cluster, number)
    return number


def _drop_unfinished(storage: Storage, cluster: str, current: int) -> int:
    """Drop what a rebuild left that ended early, which the next could show. Gives the newest generation that was there."""
    newest = current
    for name in tables():
        there = max((file.generation for file in stored_files(storage, cluster, name)), default=current)
        if there > current and (delta := delta_table(storage, cluster, name)):
            delta.delete(f"generation > {current}")
        newest = max(newest, there)
    return newest


def _append(delta: DeltaTables, stored: StoredRows, generation: Generation) -> None:
    """Append every table of the generation, each once.

    For a table that has no row any more one row is appended that nobody sees: without a file in this generation the
    rows of the one before would be shown.
    """

    def append(table: Table) -> None:
        rows = generation.rows(table)
        if not rows.num_rows:
            once = stored.committed(table).slice(0, 1)
            nobody = dict.fromkeys({"snapshot_id", "written_by", "era"} & set(once.column_names), _NOBODY)
            rows = _with_values(once, nobody | {"generation": generation.number})
        if rows.num_rows:
            delta.append_rebuilt(table, delta.local(rows), generation.number)

    side_by_side(append, generation.remade, TABLES_AT_ONCE)


def _commit(delta: DeltaTables, commits: pa.Table, last: Commit, number: int, *, is_whole: bool) -> None:
    """Commit every snapshot once more, which switches to the generation.

    Where a single table was made again, the others are still of the code that the commits name. Raises SnapshotRefusedError when
    the cluster's lock was lost, and another process has given the rebuild up.
    """
    now = max(datetime.now(UTC), last.committed_at + timedelta(microseconds=1))
    values = {"generation": number, "committed_at": now}
    if is_whole:
        values["varve_version"] = code_version()
    failure = None
    try:
        delta.append_rebuilt(SNAPSHOTS, delta.local(_with_values(commits, values)), number)
    except Exception as error:  # of an append whose answer got lost nobody knows whether it was done
        failure = error
    if Sight(delta.storage, delta.cluster).newest.generation != number:
        raise failure or SnapshotRefusedError(
            f"The rebuild of {delta.cluster} was given up by another process, which writes there now: nothing of it is seen"
        )


def _with_values(rows: pa.Table, values: Mapping[str, object]) -> pa.Table:
    """Rows, all of which have these values."""
    for name, value in values.items():
        field = rows.schema.field(name)
        constant = pa.array([value] * rows.num_rows, field.type)
        rows = rows.set_column(rows.schema.get_field_index(name), field, constant)
    return rows
