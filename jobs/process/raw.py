"""From landing to raw tables."""

from pyspark.sql import DataFrame

from jobs.lake.ddl import columns_ddl
from jobs.lake.layout import landing_folder
from jobs.process.run import SnapshotRun, side_by_side
from jobs.storage import Storage
from schemas.registry import collected_by
from schemas.table import Kind, Table


def write_raw_tables(run: SnapshotRun, storage: Storage) -> None:
    """Write what each source landed; a source that failed, or never heard of a table, changes nothing there."""
    tables = [
        table
        for source, manifest in run.manifests.items()
        if run.is_read(source)
        for table in collected_by(source)
        if table.name in manifest.files
    ]
    side_by_side(lambda table: _write(run, table, _landed(run, storage, table)), tables)


def _write(run: SnapshotRun, table: Table, landed: DataFrame) -> None:
    captured_at = run.captured(table.source)
    if table.kind is Kind.STATE:
        run.write_state(table, landed, captured_at)
    elif run.manifests[table.source].rows[table.name]:
        run.lake.append_series(table, landed, captured_at)


def _landed(run: SnapshotRun, storage: Storage, table: Table) -> DataFrame:
    folder = landing_folder(run.lake.cluster, table.source, run.lake.snapshot_id)
    files = [storage.location(f"{folder}/{name}") for name in run.manifests[table.source].files[table.name]]
    if not files:
        return run.lake.frame(table, [])
    return run.lake.spark.read.schema(columns_ddl(table.columns)).parquet(*files)
