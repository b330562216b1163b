"""From landing to raw tables."""

from jobs.lake.coverage import is_outside
from jobs.lake.write import DeltaTables
from jobs.process.snapshot_input import SnapshotInput
from jobs.process.state import TABLES_AT_ONCE, State, write_state
from jobs.side_by_side import side_by_side
from schemas.registry import collected_by
from schemas.table import Kind, Table


def write_raw_tables(delta: DeltaTables, snapshot: SnapshotInput) -> dict[str, State]:
    """Append what each source landed; a source that failed, or never heard of a table, changes nothing there.

    Gives the state tables among them, by name.
    """
    landed = [
        table
        for source, manifest in snapshot.manifests.items()
        if snapshot.is_read(source)
        for table in collected_by(source)
        if table.name in manifest.files
    ]
    made = side_by_side(lambda table: _write(delta, snapshot, table), landed, TABLES_AT_ONCE)
    return {state.table.name: state for state in made if state}


def _write(delta: DeltaTables, snapshot: SnapshotInput, table: Table) -> State | None:
    rows = delta.landed(table, snapshot.manifests[table.source].files[table.name])
    captured_at = snapshot.captured(table.source)
    if table.kind is Kind.STATE:
        return write_state(delta, table, rows, _is_unseen(snapshot, table), captured_at)
    if rows.num_rows:
        delta.append_series(table, delta.local(rows), captured_at)
    return None


def _is_unseen(snapshot: SnapshotInput, table: Table) -> str:
    is_unseen = snapshot.unseen(table, table.source)
    looked_at = snapshot.looked_at(table.source)
    if looked_at is None or is_unseen == "true":
        return is_unseen
    return f"({is_unseen} OR {is_outside(table, table.source, looked_at)})"
