"""The power goes at every step of process: no snapshot is lost and none comes twice, and no event either."""

import shutil
from collections.abc import Callable
from typing import Any

import pytest
from pyspark.sql import SparkSession

from jobs.process import process
from jobs.settings import Settings
from tests.jobs.failpoints import Failpoints, at
from tests.jobs.process.whole_lake import everything

CLUSTER = "orders"
FIRST, SECOND = "20261121T140000Z", "20261121T141000Z"
THIRD, FOURTH = "20261121T142000Z", "20261121T143000Z"
BEFORE_THE_COMMIT = "DataFrameWriter.save orders/snapshots"
SEEN = (
    "SELECT (SELECT list(snapshot_id) FROM snapshots), (SELECT list(broker_id ORDER BY broker_id) FROM brokers), "
    "(SELECT count(*) FROM events)"
)

Land = Callable[..., None]
Ask = Callable[[str], list[tuple[Any, ...]]]


@pytest.mark.usefixtures("healthy_first")
def test_no_snapshot_is_lost_and_no_event_comes_twice_wherever_the_power_goes(
    settings: Settings, spark: SparkSession, land: Land, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every table that changes opens an era. The second snapshot is never rerun when it only lacks its commit, and the
    third never begun; the fourth finds both."""
    recorded = {SECOND: "broker_killed", THIRD: "healthy", FOURTH: "healthy"}
    for snapshot_id, name in recorded.items():
        land(name, snapshot_id)
    monkeypatch.setattr(settings.history, "era_days", 1e-6)
    undisturbed = settings.model_copy(update={"lake": settings.lake.with_name("undisturbed")})
    shutil.copytree(settings.lake, undisturbed.lake)
    failpoints = Failpoints(settings.lake, monkeypatch)

    def run(snapshot_id: str) -> None:
        process(settings, CLUSTER, snapshot_id, spark, expect=False)

    reached: list[str] = []
    while BEFORE_THE_COMMIT not in reached:
        assert not failpoints.run(lambda: run(SECOND), lambda _, step: step not in reached)
        reached.append(failpoints.reached[-1])
        assert ask(SEEN) == [([FIRST], [1, 2, 3], 0)]
    assert not failpoints.run(lambda: run(THIRD), at(1))
    assert ask(SEEN) == [([FIRST], [1, 2, 3], 0)]
    run(FOURTH)
    for snapshot_id in recorded:
        process(undisturbed, CLUSTER, snapshot_id, spark, expect=False)
    assert ask("SELECT snapshot_id FROM snapshots ORDER BY 1") == [(FIRST,), *((each,) for each in recorded)]
    assert everything(settings) == everything(undisturbed)
    assert len(reached) >= 15
