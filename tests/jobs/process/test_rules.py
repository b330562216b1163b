"""What varve.yaml says of findings reaches them: in the snapshots that are taken, and when the past is made again."""

from collections.abc import Callable
from typing import Any

import pytest
from pyspark.sql import SparkSession

from jobs.process import process
from jobs.rebuild.rebuild import rebuild
from jobs.settings import Settings, load_settings

CLUSTER = "orders"
BEFORE_IT_ENDS, STILL, ENDED, LATER = (
    "20261121T141000Z",
    "20261121T235000Z",
    "20261122T000000Z",
    "20261122T001000Z",
)
RULE = """
    ignore: [{check: under-replicated-partition, until: 2026-11-22, why: broker 2 is being replaced}]
"""
FOUND = """
SELECT valid_from, check_id, count(*), count(ignored), min(ignored) FROM findings_history
WHERE status = 'open' AND check_id IN ('under-replicated-partition', 'offline-partition') GROUP BY ALL ORDER BY 1, 2
"""


@pytest.fixture
def ignoring(settings: Settings) -> Settings:
    """The settings of the test's lake, with a rule."""
    path = settings.lake.parent / "varve.yaml"
    path.write_text(path.read_text().rstrip() + RULE)
    return load_settings(path)


@pytest.mark.usefixtures("healthy_first")
def test_an_ignored_finding_stays_and_counts_again_when_the_rule_ends_also_in_a_past_made_again(
    ignoring: Settings, spark: SparkSession, land: Callable[..., None], ask: Callable[[str], Any]
) -> None:
    for snapshot_id in (BEFORE_IT_ENDS, STILL, ENDED, LATER):
        land("broker_killed", snapshot_id)
        process(ignoring, CLUSTER, snapshot_id, spark, expect=False)

    told = [(f"{at:%d %H:%M}", *row) for at, *row in ask(FOUND)]
    assert ("21 14:10", "offline-partition") in [each[:2] for each in told]
    lacking = [each for each in told if each[1] == "under-replicated-partition"]
    said = "until 2026-11-22: broker 2 is being replaced"
    assert [(at, found == ignored, why) for at, _, found, ignored, why in lacking] == [
        ("21 14:10", True, said),
        ("22 00:00", False, None),
    ]
    assert all(ignored == 0 for _, check, _, ignored, _ in told if check == "offline-partition")

    rebuild(ignoring, CLUSTER, spark=spark)
    assert [(f"{at:%d %H:%M}", *row) for at, *row in ask(FOUND)] == told
