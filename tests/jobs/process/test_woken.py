"""A driver was paused in the middle of a step, lost its lease, and goes on with the step after others had the lock."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from jobs.errors import SnapshotRefusedError
from jobs.lake.sight import Sight
from jobs.landing.order import abandon
from jobs.process import pipeline, process
from jobs.settings import Settings
from jobs.storage import LocalDisk, open_storage
from jobs.upkeep.tidy import tidy
from tests.jobs.process.conftest import die_before_findings
from tests.jobs.process.whole_lake import everything

CLUSTER = "orders"
FIRST, SECOND, THIRD, FOURTH = (f"20261121T14{minute}000Z" for minute in range(4))
NEW = {"/brokers/topics/new": '{"version":3,"partitions":{}}'}

Ask = Callable[[str], list[tuple[Any, ...]]]
Land = Callable[..., None]
Run = Callable[..., None]
Paused = Callable[[str, Callable[[], object]], Any]


@pytest.fixture
def run(settings: Settings, spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Process a snapshot as with a lock that may end before its holder knows, and that ended at once."""
    monkeypatch.setattr(LocalDisk, "locks_expire", True)
    monkeypatch.setattr(pipeline, "only_writer", lambda *_: nullcontext())
    return lambda snapshot_id, expect=False: process(settings, CLUSTER, snapshot_id, spark, expect=expect)


@pytest.fixture
def paused(monkeypatch: pytest.MonkeyPatch) -> Paused:
    """Who comes to that step of the pipeline is paused there until the others have acted."""

    @contextmanager
    def at(step: str, others: Callable[[], object]) -> Iterator[None]:
        goes_on = getattr(pipeline, step)

        def sleeps(*arguments: Any) -> Any:
            monkeypatch.setattr(pipeline, step, goes_on)
            others()
            return goes_on(*arguments)

        monkeypatch.setattr(pipeline, step, sleeps)
        yield
        assert getattr(pipeline, step) is goes_on

    return at


@pytest.fixture
def dies(run: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Process a snapshot up to its typed tables."""

    def attempt(snapshot_id: str) -> None:
        with monkeypatch.context() as patch:
            die_before_findings(patch, lambda: run(snapshot_id))

    return attempt


@pytest.mark.usefixtures("healthy_first")
def test_at_its_commit_after_another_committed_the_snapshot_it_changes_nothing(
    run: Run, paused: Paused, settings: Settings, land_healthy: Land, ask: Ask
) -> None:
    said: list[Any] = []

    def takes_over() -> None:
        run(SECOND)
        said.append(everything(settings))

    land_healthy(SECOND, NEW)
    refused = f"was committed by another process, as {SECOND}.2 meanwhile"
    with paused("commit", takes_over), pytest.raises(SnapshotRefusedError, match=refused):
        run(SECOND)
    assert [everything(settings)] == said
    assert ask("SELECT event, subject FROM events") == [("topic-created", "new")]
    assert ask("SELECT count(*) FROM snapshots") == [(2,)]


@pytest.mark.usefixtures("healthy_first")
@pytest.mark.parametrize("next_one", [None, THIRD])
def test_at_its_commit_after_somebody_gave_the_snapshot_up_it_changes_nothing(
    run: Run, paused: Paused, settings: Settings, land_healthy: Land, ask: Ask, next_one: str | None
) -> None:
    def gives_up() -> None:
        abandon(open_storage(settings.lake), CLUSTER, SECOND)
        if next_one:
            land_healthy(next_one, {})
            run(next_one)

    land_healthy(SECOND, NEW)
    with paused("commit", gives_up), pytest.raises(SnapshotRefusedError, match="was given up meanwhile"):
        run(SECOND)
    assert ask("SELECT count(*) FROM topics_history WHERE topic = 'new'") == [(0,)]
    land_healthy(FOURTH, {})
    run(FOURTH)
    seen = [FIRST, next_one, FOURTH] if next_one else [FIRST, FOURTH]
    assert ask("SELECT list(snapshot_id ORDER BY snapshot_id) FROM snapshots") == [(seen,)]
    assert ask("SELECT count(*) FROM events") == [(0,)]


@pytest.mark.usefixtures("healthy_first")
@pytest.mark.parametrize("step", ["write_typed_tables", "commit"])
def test_in_a_snapshot_that_another_has_begun_and_not_committed_every_row_counts_once(
    run: Run, dies: Run, paused: Paused, settings: Settings, spark: SparkSession, land: Land, step: str
) -> None:
    for snapshot_id, recorded in {SECOND: "broker_killed", THIRD: "healthy"}.items():
        land(recorded, snapshot_id)
    quiet = settings.model_copy(update={"lake": settings.lake.with_name("quiet")})
    shutil.copytree(settings.lake, quiet.lake)
    with paused(step, lambda: dies(SECOND)):
        run(SECOND)
    for snapshot_id in (SECOND, THIRD):
        run(snapshot_id)
        process(quiet, CLUSTER, snapshot_id, spark, expect=False)
    assert everything(settings) == everything(quiet)


@pytest.mark.usefixtures("healthy_first")
def test_where_another_sealed_the_snapshot_meanwhile_what_landed_stays_and_the_rows_are_its_own(
    run: Run, dies: Run, paused: Paused, settings: Settings, land_healthy: Land, ask: Ask
) -> None:
    land_healthy(SECOND, NEW)
    with paused("newest_capture", lambda: dies(SECOND)):
        run(SECOND)
    assert Sight(open_storage(settings.lake), CLUSTER).newest.written_by == f"{SECOND}.2"
    assert ask("SELECT event, subject FROM events") == [("topic-created", "new")]


@pytest.mark.usefixtures("healthy_first")
def test_where_another_ran_its_expectations_meanwhile_the_results_are_there_once(
    run: Run, paused: Paused, land_healthy: Land, ask: Ask
) -> None:
    land_healthy(SECOND, NEW)
    with paused("write_expectation_results", lambda: run(SECOND, expect=True)):
        run(SECOND, expect=True)
    twice = "SELECT count(*), count(DISTINCT (snapshot_id, table_name, expectation)) FROM expectation_results"
    ((rows, different),) = ask(twice)
    assert rows == different > 0


@pytest.mark.usefixtures("healthy_first")
def test_who_was_first_is_kept_in_one_entry_of_the_log_also_when_its_old_entries_are_gone(
    run: Run, paused: Paused, settings: Settings, land_healthy: Land, ask: Ask
) -> None:
    def others() -> None:
        for snapshot_id in (SECOND, THIRD, FOURTH):
            land_healthy(snapshot_id, {})
            run(snapshot_id)
        assert tidy(open_storage(settings.lake), CLUSTER, "snapshots", 2)

    land_healthy(SECOND, NEW)
    with paused("commit", others), pytest.raises(SnapshotRefusedError, match="meanwhile"):
        run(SECOND)
    assert ask("SELECT count(*) FROM snapshots") == [(4,)]
    log = settings.lake / CLUSTER / "snapshots" / "_delta_log"
    (checkpoint,) = log.glob("*.checkpoint.parquet")
    entries = [entry for entry in pq.read_table(checkpoint)["txn"].to_pylist() if entry]
    assert [(entry["appId"], entry["version"]) for entry in entries] == [("varve", 1795271400)]
