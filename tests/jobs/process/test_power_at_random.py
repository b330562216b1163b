"""Histories in which the power goes at random steps, again and again; each is that of a lake to which nothing happened."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from pyspark.sql import SparkSession

from jobs.lake.snapshot_id import logical_time
from jobs.process import process
from jobs.settings import Settings
from jobs.upkeep.maintain import maintain
from tests.jobs.failpoints import Failpoints, at
from tests.jobs.process.conftest import CLUSTER, FIRST, land_recorded, settings_in
from tests.jobs.process.whole_lake import everything

pytestmark = pytest.mark.soak

SEEDS = int(os.environ.get("VARVE_SOAK_SEEDS", "50"))
STORY = {
    "20261121T141000Z": "broker_killed",
    "20261121T142000Z": "healthy",
    "20261121T143000Z": "broker_killed",
    "20261121T144000Z": "broker_killed",
    "20261121T145000Z": "healthy",
}
"""What each snapshot after the first sees."""
STEPS = 40
"""About as many as one snapshot with changes takes, or upkeep after it."""

Said = dict[str, list[dict[str, Any]]]


@pytest.fixture(scope="session")
def quiet(
    spark: SparkSession, healthy_lake: Path, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Said]:
    """What a lake says after each snapshot when nothing happens to it."""
    settings = settings_in(tmp_path_factory.mktemp("quiet"))
    settings.history.era_rows = 1
    shutil.copytree(healthy_lake, settings.lake)
    said = {FIRST: everything(settings)}
    for snapshot_id, recorded in STORY.items():
        land_recorded(settings.lake, recorded, snapshot_id)
        process(settings, CLUSTER, snapshot_id, spark, expect=False)
        said[snapshot_id] = everything(settings)
    return said


@pytest.mark.parametrize("seed", range(SEEDS))
@pytest.mark.usefixtures("healthy_first")
def test_wherever_the_power_goes_the_lake_says_what_it_says_after_some_snapshot_of_a_quiet_history(
    settings: Settings,
    spark: SparkSession,
    ask: Callable[[str], list[tuple[str]]],
    monkeypatch: pytest.MonkeyPatch,
    quiet: dict[str, Said],
    seed: int,
) -> None:
    """A snapshot that is cut off is rerun or, as often, left to the next one."""
    random = Random(seed)
    monkeypatch.setattr(settings.history, "era_rows", 1)
    failpoints = Failpoints(settings.lake, monkeypatch)

    def stays(act: Callable[[], object]) -> bool:
        stayed = failpoints.run(act, at(random.randrange(STEPS)))
        ((newest,),) = ask("SELECT max(snapshot_id) FROM snapshots")
        assert everything(settings) == quiet[newest], failpoints.reached[-1]
        return stayed

    def take(snapshot_id: str) -> None:
        process(settings, CLUSTER, snapshot_id, spark, expect=False)

    def keep_up() -> None:
        list(maintain(settings, CLUSTER, logical_time(FIRST)))

    for snapshot_id, recorded in STORY.items():
        land_recorded(settings.lake, recorded, snapshot_id)
        while not stays(lambda: take(snapshot_id)) and random.random() < 0.5:  # noqa: B023 (called at once)
            pass
        if random.random() < 0.5:
            stays(keep_up)
    take(snapshot_id)
    keep_up()
    assert everything(settings) == quiet[snapshot_id]
