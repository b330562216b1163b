"""Great Expectations on the state after the snapshot; the results come after the commit, under the same id."""

from jobs.process.run import SnapshotRun
from schemas.judgement import EXPECTATION_RESULTS
from schemas.registry import tables
from schemas.table import Kind, Table


def write_expectation_results(run: SnapshotRun) -> None:
    """Run every suite on the tables this snapshot has written or could have."""
    from expectations.validate import validate

    frames = {table.name: run.now(table) for table in tables().values() if _is_read(run, table)}
    results = validate(frames)
    if results:
        run.lake.append_log(EXPECTATION_RESULTS, run.lake.frame(EXPECTATION_RESULTS, results))


def _is_read(run: SnapshotRun, table: Table) -> bool:
    return table.kind is Kind.STATE and table.name in run.states.keys() | run.kept
