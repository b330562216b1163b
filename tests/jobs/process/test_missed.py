"""What landed whole and was never begun is not lost when a newer snapshot is."""

from collections.abc import Callable
from typing import Any

import pytest
from pyspark.sql import SparkSession

from jobs.process import process
from jobs.settings import Settings

CLUSTER = "orders"
FIRST, SECOND = "20261121T140000Z", "20261121T141000Z"
THIRD, FOURTH = "20261121T142000Z", "20261121T143000Z"


@pytest.mark.usefixtures("healthy_first")
def test_it_comes_into_the_lake_before_the_newer_one_and_what_is_refused_of_it_holds_nobody_up(
    settings: Settings,
    spark: SparkSession,
    land: Callable[..., None],
    land_rows: Callable[..., None],
    ask: Callable[[str], list[tuple[Any, ...]]],
) -> None:
    land("healthy", SECOND, failed=("zookeeper",))
    for snapshot_id in (THIRD, FOURTH):
        land("healthy", snapshot_id)
    of_another_cluster = {"broker_id": 1, "path": "/var/kafka/d0", "cluster_id": "7a4WN04ORRCS7XRw8eKNyg"}
    land_rows("log_dirs", SECOND, {"log_dirs": [of_another_cluster]})
    process(settings, CLUSTER, FOURTH, spark, expect=False)
    assert ask("SELECT snapshot_id FROM snapshots ORDER BY 1") == [(FIRST,), (THIRD,), (FOURTH,)]
