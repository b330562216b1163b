"""Great Expectations on the state after a snapshot; the results are written after its commit, under the same id.

Before the commit a mark is written beside the seal. If the process is killed after the commit, the next process finds
the mark and runs the expectations.
"""

import logging
from collections.abc import Collection, Container, Iterable, Sequence

from jobs.lake.authority import source_of
from jobs.lake.commits import Commit
from jobs.lake.layout import EXPECTATIONS_DUE, expectations_due_path, seals_folder, snapshot_ids
from jobs.lake.snapshot_id import snapshot_of
from jobs.lake.write import DeltaTables
from jobs.process.state import States
from jobs.process.version import code_version
from jobs.storage import Storage
from schemas.judgement import EXPECTATION_RESULTS, NOT_RUN
from schemas.registry import tables
from schemas.table import Kind, Table

log = logging.getLogger(__name__)

Result = tuple[object, ...]
"""The own columns of `expectation_results`."""


def mark_due(delta: DeltaTables) -> None:
    """Say, before the commit, that the expectations of a snapshot are to be run."""
    delta.storage.create(expectations_due_path(delta.cluster, delta.snapshot_id), b"")


def expectation_results(
    delta: DeltaTables, states: States, names: Collection[str], changed: Collection[str]
) -> list[Result]:
    """What the suites of the state tables with these names say of the rows after the snapshot.

    The suite of a table that did not change is not run again, unless one of its expectations could not be run.
    """
    run = _run_before(delta, set(names) - set(changed))
    if due := [table for table in _states() if table.name in names and table.name not in run]:
        from expectations.validate import validate

        return [*validate({table.name: states.of(table).frame for table in due})]
    return []


def write_expectation_results(delta: DeltaTables, results: Sequence[Result]) -> None:
    """Append the results; the snapshot is not due any more."""
    if results:
        delta.append_log(EXPECTATION_RESULTS, delta.frame(EXPECTATION_RESULTS, results))
    delta.storage.delete(expectations_due_path(delta.cluster, delta.snapshot_id))


def _run_before(delta: DeltaTables, names: set[str]) -> set[str]:
    """Those of the tables on whose newest rows this code ran every expectation, whatever it found."""
    if not names or not delta.last:
        return set()
    newest = delta.newest_of_each(EXPECTATION_RESULTS, "table_name").to_pylist()
    run_by = {row["table_name"]: row["written_by"] for row in newest}
    not_run = {row["table_name"] for row in newest if (row["observed"] or "").startswith(NOT_RUN)}
    of_this_code = {each for each in set(run_by.values()) if _code_of(delta, each) == code_version()}
    return {
        name
        for name in (names & run_by.keys()) - not_run
        if run_by[name] in of_this_code and run_by[name] >= delta.last_writer(tables()[name])
    }


def _code_of(delta: DeltaTables, written_by: str) -> str | None:
    commit = delta.sight.commit(snapshot_of(written_by))
    return commit.varve_version if commit else None


def overdue(storage: Storage, cluster: str, committed: Container[str]) -> list[str]:
    """Committed snapshots whose expectations were to be run and were not, the oldest first."""
    marked = snapshot_ids(storage.list(seals_folder(cluster)), EXPECTATIONS_DUE)
    return sorted(each for each in marked if each in committed)


def catch_up(delta: DeltaTables, commit: Commit) -> None:
    """Run the suites of a committed snapshot on the state as it was after it."""
    log.info("running the expectations of snapshot %s, which was stopped before them", delta.snapshot_id)
    try:
        names = _written_by(commit.authority, commit.sources)
        write_expectation_results(delta, expectation_results(delta, States(delta, {}), names, names))
    except Exception:  # whatever ails them, newer snapshots have to come into the lake
        log.exception("the expectations of snapshot %s could not be run", delta.snapshot_id)
        delta.storage.delete(expectations_due_path(delta.cluster, delta.snapshot_id))


def _written_by(authority: str, sources: Collection[str]) -> set[str]:
    """The names of the tables that a snapshot of these sources could have written."""
    return {table.name for table in _states() if not table.scopes or source_of(table, authority) in sources}


def _states() -> Iterable[Table]:
    return (table for table in tables().values() if table.kind is Kind.STATE)
