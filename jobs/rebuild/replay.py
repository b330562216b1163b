"""The steps of a snapshot once more, for one committed snapshot after the other; see `jobs.process.pipeline`."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import SparkSession

from jobs.checks.parts.check import all_checks
from jobs.lake.commits import Commit
from jobs.lake.sight import Sight
from jobs.lake.stored import StoredRows
from jobs.process.events import write_events
from jobs.process.findings import KEPT_RESOLVED
from jobs.process.frames import Frames, frames_read_by
from jobs.process.judge import judged, write_findings
from jobs.process.state import States
from jobs.process.typed import followed_tables, write_typed_tables
from jobs.process.whatif import write_whatif
from jobs.rebuild.committed_input import CommittedInput, commit_of, committed_input
from jobs.rebuild.generation import Generation
from jobs.rebuild.raw_past import RawPast
from jobs.rebuild.remade_tables import RemadeTables
from jobs.rules import Rules
from jobs.storage import Storage
from schemas.judgement import FINDINGS, FindingStatus
from schemas.registry import tables
from schemas.table import Kind

Each = TypeVar("Each")


@dataclass(frozen=True)
class Moment:
    """A committed snapshot, what it had to work with, and the commit before it."""

    commit: Commit
    snapshot: CommittedInput
    previous: Commit | None

    @property
    def seen(self) -> tuple[object, ...]:
        """What decides, beside the raw rows, what the typed tables are."""
        return self.commit.authority, set(self.commit.failed), self.snapshot.unseen_scopes


def stretches(sight: Sight, commits: Iterable[Mapping[str, Any]], past: RawPast) -> Iterator[list[Moment]]:
    """The snapshots of these rows of `snapshots`, oldest first.

    Each list begins with one that changed a raw row, or saw more or less than the one before, and goes on with those
    that did neither.
    """
    stretch: list[Moment] = []
    for row in commits:
        commit, before = commit_of(row), stretch[-1] if stretch else None
        previous = before.commit if before else None
        moment = Moment(commit, committed_input(row, sight.gaps(commit)), previous)
        if before and (commit.written_by in past.writers or moment.seen != before.seen):
            yield stretch
            stretch = []
        stretch.append(moment)
    yield stretch


def to_judge(quiet: Sequence[Each], are_alike: Callable[[Sequence[Each]], bool]) -> Iterator[Each]:
    """Those after the first of these snapshots at which the judgement may change, oldest first.

    Where it is the same at both ends, it is between them: see `jobs.checks.parts.check`.
    """
    if len(quiet) == 2:
        yield quiet[1]
    elif len(quiet) > 2 and not are_alike(quiet):
        middle = len(quiet) // 2
        yield from to_judge(quiet[: middle + 1], are_alike)
        yield from to_judge(quiet[middle:], are_alike)


class Replay:
    """Makes the tables of a generation as they were after each snapshot of a cluster."""

    def __init__(
        self,
        spark: SparkSession,
        storage: Storage,
        cluster: str,
        past: RawPast,
        generation: Generation,
        rules: Rules,
    ) -> None:
        self._spark = spark
        self._storage = storage
        self._cluster = cluster
        self._past = past
        self._generation = generation
        self._rules = rules
        self._moving = attempts_with_series(StoredRows(storage, Sight(storage, cluster)))

    def go_through(self, stretch: Sequence[Moment]) -> None:
        """Make the tables after the first snapshot; after the others at most the findings can be others."""
        first, *quiet = stretch
        self._remake(first)
        if quiet and FINDINGS in self._generation.remade:
            self._judge(
                quiet[0]
            )  # the checks read what earlier snapshots wrote, so it may differ from the first
            for moment in to_judge(quiet, self._are_judged_alike):
                self._judge(moment)

    def _remake(self, moment: Moment) -> None:
        delta = self._tables(moment)
        raw, authority = self._past.after(delta), moment.commit.authority
        followed = [table for table in followed_tables(moment.snapshot, authority) if table in delta.remade]
        typed = write_typed_tables(delta, moment.snapshot, States(delta, raw), authority, followed)
        if FINDINGS in delta.remade:
            states = States(delta, {**raw, **typed})
            frames = Frames(delta, moment.snapshot, authority, states)
            with ThreadPoolExecutor(1) as meanwhile:
                events = meanwhile.submit(write_events, delta, moment.snapshot, frames, states.changed)
                write_findings(delta, moment.snapshot, frames, self._rules)
                write_whatif(delta, moment.snapshot, frames)
                events.result()

    def _are_judged_alike(self, quiet: Sequence[Moment]) -> bool:
        """Whether the first and the last of snapshots that changed nothing have the same findings."""
        first, *others = quiet
        if any(moment.commit.written_by in self._moving for moment in others):
            return False
        begin, end = first.commit.captured_at, others[-1].commit.captured_at
        if any(begin < rule.ends_at <= end for rule in self._rules.ignore):
            return False
        found = self._generation.living(FINDINGS)
        resolved = found.filter(pc.equal(found["status"], FindingStatus.RESOLVED.value))
        oldest = pc.min(resolved["changed_at"]).as_py()
        if oldest and oldest < end - KEPT_RESOLVED:
            return False
        return bool(self._judged(first).equals(self._judged(others[-1])))

    def _judge(self, moment: Moment) -> None:
        delta = self._tables(moment)
        write_findings(delta, moment.snapshot, self._frames(delta, moment), self._rules)

    def _judged(self, moment: Moment) -> pa.Table:
        delta = self._tables(moment)
        rows = judged(self._frames(delta, moment), self._rules)
        return rows.sort_by([("check_id", "ascending"), ("subject", "ascending")])

    def _frames(self, delta: RemadeTables, moment: Moment) -> Frames:
        """The frames after a snapshot that changed nothing."""
        states = States(delta, self._past.after(delta))
        return Frames(delta, moment.snapshot, moment.commit.authority, states)

    def _tables(self, moment: Moment) -> RemadeTables:
        delta = RemadeTables(
            self._spark, self._storage, self._cluster, moment.commit, moment.previous, self._generation
        )
        delta.suit(moment.snapshot.row_count)
        return delta


def attempts_with_series(stored: StoredRows) -> set[str]:
    """The attempts that wrote rows of a series which a check reads: those move, whatever else does not."""
    read = {name for check in all_checks() for name in frames_read_by(check.judge)}
    series = [table for table in tables().values() if table.kind is Kind.SERIES and table.name in read]
    rows = [stored.committed(table).select(["written_by", "snapshot_id"]) for table in series]
    return {each["written_by"] or each["snapshot_id"] for of in rows for each in of.to_pylist()}
