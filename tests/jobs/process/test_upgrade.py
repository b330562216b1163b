"""What a new release reads better than the one before it did not happen in the cluster."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from importlib import metadata
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from jobs.process import process, version
from jobs.process.version import code_version
from jobs.settings import Settings
from jobs.tables import brokers, partitions, topics

CLUSTER = "orders"
FIRST, SECOND, THIRD, FOURTH = (f"20261121T14{minute}000Z" for minute in range(4))
BROKERS = "SELECT broker_id, epoch = (SELECT czxid FROM znodes WHERE path = '/brokers/ids/' || broker_id) FROM brokers ORDER BY 1"
FINDINGS = "SELECT status, count(*) FROM findings WHERE check_id = 'under-replicated-partition' GROUP BY ALL"
KEYS = "count(DISTINCT (topic, partition))"

Land = Callable[..., None]
Ask = Callable[[str], list[tuple[Any, ...]]]


@pytest.fixture
def run(settings: Settings, spark: SparkSession) -> Callable[[str], None]:
    return lambda snapshot_id: process(settings, CLUSTER, snapshot_id, spark, expect=False)


@pytest.fixture
def old_release(monkeypatch: pytest.MonkeyPatch) -> Callable[[], AbstractContextManager[None]]:
    """A release that took a broker's epoch for another number, knew one replica of an ISR, and overlooked a topic."""

    def reads(table: Any, wrong: Callable[[DataFrame], DataFrame]) -> Callable[[DataFrame], DataFrame]:
        right = table.from_zookeeper
        return lambda znodes: wrong(right(znodes))

    @contextmanager
    def installed() -> Iterator[None]:
        with monkeypatch.context() as patch:
            for table, wrong in (
                (brokers, lambda rows: rows.withColumn("epoch", F.col("epoch") + 7).drop("jmx_port")),
                (partitions, lambda rows: rows.withColumn("isr", F.slice("isr", 1, 1))),
                (topics, lambda rows: rows.where("topic <> 'audit'")),
            ):
                patch.setattr(table, "from_zookeeper", reads(table, wrong))
            patch.setattr(version, "version", lambda name: f"{metadata.version(name)}.old")
            code_version.cache_clear()
            yield
        code_version.cache_clear()

    return installed


def test_only_what_happened_since_is_an_event_and_each_key_has_one_row(
    run: Callable[[str], None], old_release: Any, land: Land, ask: Ask
) -> None:
    with old_release():
        land("healthy", FIRST)
        run(FIRST)
    assert ask(BROKERS) == [(1, False), (2, False), (3, False)]
    land("broker_killed", SECOND)
    run(SECOND)
    assert ask("SELECT event, count(*) FROM events GROUP BY ALL ORDER BY 1") == [
        ("broker-left", 1),
        ("controller-moved", 1),
        ("isr-shrank", 6),
        ("partition-offline", 3),
    ]
    assert ask("SELECT from_value, to_value FROM events WHERE subject = 'orders-1' ORDER BY event") == [
        ("2,3,1", "3,1"),
        ("2", "-1"),
    ]
    assert ask(BROKERS) == [(1, True), (3, True)]
    assert ask("SELECT topic FROM topics ORDER BY 1") == [("audit",), ("orders",), ("payments",)]
    assert ask("SELECT DISTINCT varve_version LIKE '%.old+%' FROM snapshots ORDER BY 1") == [
        (False,),
        (True,),
    ]
    written = f"SELECT count(*), {KEYS} FROM partitions_history WHERE snapshot_id = '{SECOND}'"
    assert ask(written) == [(7, 7)]
    land("broker_killed", THIRD)
    run(THIRD)
    assert ask(f"SELECT count(*) FROM partitions_history WHERE snapshot_id = '{THIRD}'") == [(0,)]
    assert ask(f"SELECT count(*) FROM events WHERE snapshot_id = '{THIRD}'") == [(0,)]


def test_what_was_not_seen_when_the_new_release_came_is_no_event_when_it_is_seen_again(
    run: Callable[[str], None], old_release: Any, land: Land, ask: Ask
) -> None:
    with old_release():
        land("healthy", FIRST)
        run(FIRST)
        land("healthy", SECOND, failed=("zookeeper",))
        run(SECOND)
    assert ask(FINDINGS) == [("open", 6)]
    land("healthy", THIRD, failed=("zookeeper",))
    run(THIRD)
    assert ask(BROKERS) == [(1, True), (2, True), (3, True)]
    assert ask("SELECT DISTINCT is_current FROM brokers") == [(False,)]
    # Nothing was seen, but nothing is under-replicated in what was seen last: it never was.
    assert ask(FINDINGS) == [("resolved", 6)]
    land("healthy", FOURTH)
    run(FOURTH)
    assert ask("SELECT topic, is_current FROM topics ORDER BY 1") == [
        ("audit", True),
        ("orders", True),
        ("payments", True),
    ]
    assert ask("SELECT count(*) FROM events") == [(0,)]
