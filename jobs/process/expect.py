"""Great Expectations on the state after a snapshot; the results are written after its commit, under the same id.

Before the commit a mark is written beside the seal. If the process is killed after the commit, the next process finds
the mark and runs the expectations.
"""

import logging
from collections.abc import Collection, Iterable, Sequence
from functools import cached_property

from jobs.errors import SnapshotRefusedError
from jobs.lake.authority import source_of
from jobs.lake.commits import Commit
from jobs.lake.duckdb_sql import text
from jobs.lake.layout import expectations_due_path
from jobs.lake.snapshot_id import snapshot_of
from jobs.lake.write import DeltaTables
from jobs.process.state import States
from jobs.process.version import code_version
from schemas.judgement import EXPECTATION_RESULTS, NOT_RUN
from schemas.registry import tables
from schemas.table import Kind, Table

log = logging.getLogger(__name__)

Result = tuple[object, ...]
"""The own columns of `expectation_results`."""


def mark_due(delta: DeltaTables) -> None:
    """Say, before the commit, that the expectations of a snapshot are to be run."""
    delta.storage.create(expectations_due_path(delta.cluster, delta.snapshot_id), b"")


class Suites:
    """The suites of the state tables, as one snapshot finds them: which ran before on the rows that are there."""

    def __init__(self, delta: DeltaTables) -> None:
        self._delta = delta

    def results(self, states: States, names: Collection[str], changed: Collection[str]) -> list[Result]:
        """What the suites of the tables with these names say of the rows after the snapshot.

        The suite of a table that did not change is not run again, unless one of its expectations could not be run.
        """
        looked_at = [table for table in _states() if table.name in names]
        if due := [table for table in looked_at if table.name in changed or not self._ran(table)]:
            from expectations.validate import validate

            return [*validate({table.name: states.of(table).frame for table in due})]
        return []

    def _ran(self, table: Table) -> bool:
        """Whether this code ran every expectation on the newest rows of a table, whatever it found."""
        run_by = self._run_by.get(table.name, "")
        return run_by in self._of_this_code and run_by >= self._delta.last_writer(table)

    @cached_property
    def _run_by(self) -> dict[str, str]:
        """By table the attempt that last ran its suite, where it could run all of it."""
        if not self._delta.last:
            return {}
        run = self._delta.last_writers(EXPECTATION_RESULTS, "table_name")
        could_not = f"starts_with(observed, {text(NOT_RUN)})"
        not_run = self._delta.last_writers(EXPECTATION_RESULTS, "table_name", could_not)
        return dict(run.items() - not_run.items())

    @cached_property
    def _of_this_code(self) -> set[str]:
        return {each for each in set(self._run_by.values()) if self._code_of(each) == code_version()}

    def _code_of(self, written_by: str) -> str | None:
        commit = self._delta.sight.commit(snapshot_of(written_by))
        return commit.varve_version if commit and commit.written_by == written_by else None


def write_expectation_results(delta: DeltaTables, results: Sequence[Result]) -> None:
    """Append the results; the snapshot is not due any more."""
    if results:
        delta.append_once(EXPECTATION_RESULTS, delta.frame(EXPECTATION_RESULTS, results))
    delta.storage.delete(expectations_due_path(delta.cluster, delta.snapshot_id))


def catch_up(delta: DeltaTables, commit: Commit) -> None:
    """Run the suites of a committed snapshot on the state as it was after it."""
    log.info("running the expectations of snapshot %s, which was stopped before them", delta.snapshot_id)
    try:
        names = _written_by(commit.authority, commit.sources)
        write_expectation_results(delta, Suites(delta).results(States(delta, {}), names, names))
    except SnapshotRefusedError:  # another process has the lock, and finds the mark
        raise
    except Exception:  # whatever ails them, newer snapshots have to come into the lake
        log.exception("the expectations of snapshot %s could not be run", delta.snapshot_id)
        delta.storage.delete(expectations_due_path(delta.cluster, delta.snapshot_id))


def _written_by(authority: str, sources: Collection[str]) -> set[str]:
    """The names of the tables that a snapshot of these sources could have written."""
    return {table.name for table in _states() if not table.scopes or source_of(table, authority) in sources}


def _states() -> Iterable[Table]:
    return (table for table in tables().values() if table.kind is Kind.STATE)
