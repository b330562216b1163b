"""A rebuild was paused, lost its lease, and goes on after others had the lock: nothing of it is ever seen."""

from collections.abc import Callable
from contextlib import nullcontext
from importlib import import_module
from typing import Any

import pytest
from pyspark.sql import SparkSession

from jobs.errors import SnapshotRefusedError
from jobs.lake.files import stored_files
from jobs.process import pipeline, process
from jobs.rebuild import rebuild
from jobs.settings import Settings
from jobs.storage import LocalDisk, open_storage
from tests.jobs.process.conftest import CLUSTER, FIRST
from tests.jobs.process.whole_lake import everything

SECOND = "20261121T141000Z"
rebuilding = import_module("jobs.rebuild.rebuild")


@pytest.fixture(autouse=True)
def leases_that_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LocalDisk, "locks_expire", True)
    for module in (pipeline, rebuilding):
        monkeypatch.setattr(module, "only_writer", lambda *_: nullcontext())


@pytest.mark.usefixtures("healthy_first")
@pytest.mark.parametrize("step", ["_append", "_commit"])
def test_it_hides_no_snapshot_that_was_committed_meanwhile(
    settings: Settings, spark: SparkSession, land: Any, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    def others() -> None:
        land("broker_killed", SECOND)
        process(settings, CLUSTER, SECOND, spark, expect=False)

    said = _said_after(others, settings, spark, monkeypatch, step)
    assert everything(settings) == said
    assert [row["snapshot_id"] for row in said["snapshots"]] == [FIRST, SECOND]
    assert rebuild(settings, CLUSTER, spark=spark).generation == 2
    assert _but_versions(everything(settings)) == _but_versions(said)


@pytest.mark.usefixtures("healthy_first")
@pytest.mark.parametrize("step", ["_append", "_commit"])
def test_it_adds_nothing_to_what_another_rebuild_made_meanwhile(
    settings: Settings, spark: SparkSession, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    made = []
    said = _said_after(
        lambda: made.append(rebuild(settings, CLUSTER, "brokers", spark)), settings, spark, monkeypatch, step
    )
    assert [each.generation for each in made] == [2]
    assert everything(settings) == said
    files = stored_files(open_storage(settings.lake), CLUSTER, "partitions")
    assert {file.generation for file in files} == {0}
    assert rebuild(settings, CLUSTER, spark=spark).generation == 3


def _said_after(
    others: Callable[[], object],
    settings: Settings,
    spark: SparkSession,
    monkeypatch: pytest.MonkeyPatch,
    step: str,
) -> dict[str, list[dict[str, Any]]]:
    """Rebuild, and pause at a step until the others have acted; gives what the lake said then."""
    goes_on, said = getattr(rebuilding, step), []

    def sleeps(*given: Any, **named: Any) -> Any:
        monkeypatch.setattr(rebuilding, step, goes_on)
        others()
        said.append(everything(settings))
        return goes_on(*given, **named)

    monkeypatch.setattr(rebuilding, step, sleeps)
    with pytest.raises(SnapshotRefusedError, match="was given up by another process"):
        rebuild(settings, CLUSTER, spark=spark)
    return said[0]


def _but_versions(said: dict[str, list[dict[str, Any]]]) -> dict[str, list[dict[str, Any]]]:
    """What a lake says, but for the generation of its commits."""
    return {view: rows for view, rows in said.items() if view != "snapshots"}
