"""A snapshot that is processed again counts with its last attempt alone."""

from collections.abc import Callable
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from jobs.errors import SnapshotRefusedError
from jobs.process import process
from jobs.settings import Settings
from jobs.tables import topics
from tests.jobs.process.conftest import die_before_findings

CLUSTER = "orders"
SECOND, THIRD = "20261121T141000Z", "20261121T142000Z"

Land = Callable[..., None]
Ask = Callable[[str], list[tuple[Any, ...]]]


@pytest.fixture
def run(settings: Settings, spark: SparkSession) -> Callable[[str], None]:
    return lambda snapshot_id: process(settings, CLUSTER, snapshot_id, spark, expect=False)


@pytest.fixture
def dies(run: Callable[[str], None], monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Process a snapshot up to its typed tables, which today's code makes wrong."""
    right = topics.from_zookeeper

    def wrong(*inputs: DataFrame, **named: DataFrame) -> DataFrame:
        return right(*inputs, **named).withColumn("partitions", F.lit(99))

    def attempt(snapshot_id: str) -> None:
        with monkeypatch.context() as patch:
            patch.setattr(topics, "from_zookeeper", wrong)
            die_before_findings(patch, lambda: run(snapshot_id))

    return attempt


@pytest.mark.usefixtures("healthy_first")
def test_what_an_attempt_wrote_that_died_is_never_seen_though_the_next_writes_something_else(
    run: Callable[[str], None], dies: Callable[[str], None], land_healthy: Land, ask: Ask
) -> None:
    land_healthy(SECOND, {"/brokers/topics/new": '{"version":3,"partitions":{}}'})
    dies(SECOND)
    run(SECOND)
    expected = [("audit", 2), ("new", 0), ("orders", 3), ("payments", 3)]
    assert ask("SELECT topic, partitions FROM topics ORDER BY topic") == expected
    assert ask("SELECT topic, partitions FROM topics_history ORDER BY topic") == expected
    assert ask("SELECT event, subject FROM events") == [("topic-created", "new")]
    land_healthy(THIRD, {})
    run(THIRD)
    assert ask("SELECT topic FROM topics ORDER BY topic") == [("audit",), ("orders",), ("payments",)]
    assert ask(f"SELECT event FROM events WHERE snapshot_id = '{THIRD}'") == [("topic-deleted",)]


@pytest.mark.usefixtures("healthy_first")
def test_a_snapshot_that_lands_late_does_not_slip_in_before_one_that_was_begun(
    run: Callable[[str], None], dies: Callable[[str], None], land: Land, ask: Ask
) -> None:
    land("healthy", THIRD)
    dies(THIRD)
    land("broker_killed", SECOND)
    with pytest.raises(SnapshotRefusedError, match=f"older than {THIRD}, the newest one that was begun"):
        run(SECOND)
    run(THIRD)
    assert ask("SELECT broker_id FROM brokers ORDER BY 1") == [(1,), (2,), (3,)]
    assert ask("SELECT count(*) FROM topics WHERE partitions = 99") == [(0,)]
