"""What no snapshot ever saw is unknown, not empty; what one saw stays as it was while it is not seen."""

from collections.abc import Callable
from typing import Any

from pyspark.sql import SparkSession

from jobs.process import process
from jobs.settings import Settings

CLUSTER = "orders"
FIRST, SECOND, THIRD = "20261121T140000Z", "20261121T141000Z", "20261121T142000Z"

Ask = Callable[[str], list[tuple[Any, ...]]]
Land = Callable[..., None]


def test_reassignments_that_nobody_was_told_are_unknown(
    api_settings: Settings, spark: SparkSession, land_rows: Land, ask: Ask
) -> None:
    partition = {"topic": "orders", "partition": 0, "leader": 1, "replicas": [1, 2], "isr": [1, 2]}
    told = {"admin_topics": [{"topic": "orders"}], "admin_partitions": [partition], "admin_reassignments": []}
    for snapshot_id, unseen, adding in (
        (FIRST, ("/reassignments",), None),
        (SECOND, (), []),
        (THIRD, ("/reassignments",), []),
    ):
        land_rows("kafka", snapshot_id, told, unseen)
        process(api_settings, CLUSTER, snapshot_id, spark, expect=False)
        assert ask("SELECT adding, removing, is_current FROM partitions") == [(adding, adding, True)]
    assert ask("SELECT count(*) FROM events") == [(0,)]


def test_pending_deletions_that_nobody_could_read_are_unknown(
    settings: Settings, spark: SparkSession, land_healthy: Land, ask: Ask
) -> None:
    for snapshot_id, unseen, pending in ((FIRST, ("/admin",), None), (SECOND, (), False)):
        land_healthy(snapshot_id, {}, unseen)
        process(settings, CLUSTER, snapshot_id, spark, expect=False)
        assert ask("SELECT DISTINCT deletion_pending FROM topics") == [(pending,)]
