"""A key that comes twice counts once everywhere, in what landed and in what is made of it."""

from collections.abc import Callable
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from jobs.process import process
from jobs.settings import Settings
from jobs.tables import topics

CLUSTER = "orders"
SECOND, THIRD = "20261121T141000Z", "20261121T142000Z"
MORE = {f"/brokers/topics/{topic}": '{"version":3,"partitions":{}}' for topic in ("new", "orders")}
"""One that is new, and one that is there already."""


@pytest.mark.usefixtures("healthy_first")
def test_a_key_that_comes_twice_is_one_row_that_says_so_in_every_engine(
    settings: Settings,
    spark: SparkSession,
    land_healthy: Callable[..., None],
    ask: Callable[[str], list[tuple[Any, ...]]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    right = topics.from_zookeeper

    def twice(znodes: DataFrame) -> DataFrame:
        made = right(znodes)
        audit = made.where("topic = 'audit'").withColumn("partitions", F.lit(99))
        return made.unionByName(audit)

    monkeypatch.setattr(topics, "from_zookeeper", twice)
    land_healthy(SECOND, MORE)
    process(settings, CLUSTER, SECOND, spark)
    assert ask("SELECT count(*), count(DISTINCT path) FROM znodes WHERE path = '/brokers/topics/orders'") == [
        (1, 1)
    ]
    assert ask("SELECT topic, partitions, problem FROM topics WHERE topic <> 'orders' ORDER BY 1") == [
        ("audit", 2, "2 rows have this key, and one of them is kept"),
        ("new", 0, None),
        ("payments", 3, None),
    ]
    unique = "SELECT DISTINCT table_name, success FROM expectation_results WHERE expectation IN ('topic is unique', 'path is unique') ORDER BY 1"
    assert ask(unique) == [("topics", True), ("znodes", True)]
    # As it was left out, so it is again: nothing changes.
    land_healthy(THIRD, MORE)
    process(settings, CLUSTER, THIRD, spark, expect=False)
    assert ask(f"SELECT count(*) FROM topics_history WHERE snapshot_id = '{THIRD}'") == [(0,)]
