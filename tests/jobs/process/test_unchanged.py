"""What nothing moved for is not made again, and what has to be made always is."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from pyspark.sql import SparkSession

from jobs.process import pipeline, process, unchanged
from jobs.process.state import State
from jobs.settings import Settings
from schemas.registry import derived

CLUSTER = "orders"
SECOND, THIRD, FOURTH = "20261121T141000Z", "20261121T142000Z", "20261121T143000Z"
EVERY = {table.name for table in derived() if "zookeeper" in table.scopes}
MARKER = {"/admin/delete_topics/orders": ""}
QUOTA = {"/config/users/alice": '{"version":1,"config":{"producer_byte_rate":"1024"}}'}

Ask = Callable[[str], list[tuple[Any, ...]]]
Land = Callable[..., None]


@pytest.fixture
def kept_by(
    settings: Settings, spark: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> Callable[[str], set[str]]:
    """Process a snapshot; the names of the tables it did not make."""
    made: list[set[str]] = []
    write_typed_tables = pipeline.write_typed_tables

    def watched(*arguments: Any) -> Mapping[str, State]:
        states = write_typed_tables(*arguments)
        made.append(set(states))
        return states

    monkeypatch.setattr(pipeline, "write_typed_tables", watched)

    def kept(snapshot_id: str) -> set[str]:
        process(settings, CLUSTER, snapshot_id, spark, expect=False)
        return EVERY - made[-1]

    return kept


@pytest.mark.usefixtures("healthy_first")
def test_nothing_is_made_again_where_nothing_moved_unless_other_code_makes_it(
    kept_by: Callable[[str], set[str]], land: Land, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = ask("SELECT * FROM partitions ORDER BY topic, partition")
    land("healthy", SECOND)
    assert kept_by(SECOND) == EVERY
    assert ask("SELECT * FROM partitions ORDER BY topic, partition") == before
    assert ask("SELECT snapshot_id FROM snapshots ORDER BY 1 DESC LIMIT 1") == [(SECOND,)]
    monkeypatch.setattr(unchanged, "code_version", lambda: "0.1.0+another0")
    land("healthy", THIRD)
    assert kept_by(THIRD) == set()


@pytest.mark.usefixtures("healthy_first")
def test_a_gap_that_stays_lets_nothing_be_made_again_until_more_is_seen(
    kept_by: Callable[[str], set[str]], land_healthy: Land
) -> None:
    land_healthy(SECOND, {}, unseen=("/brokers/topics/orders", "/config"))
    assert kept_by(SECOND) == EVERY
    land_healthy(THIRD, {}, unseen=("/brokers/topics", "/config"))
    assert kept_by(THIRD) == EVERY
    land_healthy(FOURTH, {}, unseen=("/brokers/topics/orders", "/config"))
    kept = kept_by(FOURTH)
    assert "configs" in kept
    assert not {"topics", "partitions"} & kept


@pytest.mark.usefixtures("healthy_first")
def test_a_gap_keeps_only_from_what_it_hides_and_a_change_makes_only_what_is_made_from_it(
    kept_by: Callable[[str], set[str]], land_healthy: Land, ask: Ask
) -> None:
    pending = "SELECT deletion_pending FROM topics WHERE topic = 'orders'"
    # The marker is seen, but the topic it is for is not, so that its row stays as it was.
    land_healthy(SECOND, MARKER, unseen=("/brokers/topics",))
    assert {"configs", "acls", "quotas"} <= kept_by(SECOND)
    assert ask(pending) == [(False,)]
    # Nothing moves any more, but now the topic is seen.
    land_healthy(THIRD, MARKER)
    kept = kept_by(THIRD)
    assert {"configs", "pending_requests"} <= kept
    assert not {"topics", "partitions", "reassignments"} & kept
    assert ask(pending) == [(True,)]
    land_healthy(FOURTH, MARKER | QUOTA)
    kept = kept_by(FOURTH)
    assert {"topics", "partitions", "configs", "controllers"} <= kept
    assert not {"quotas", "scram_credentials"} & kept
    assert ask('SELECT "user", value FROM quotas') == [("alice", 1024.0)]
    assert ask("SELECT count(*) FROM partitions WHERE is_current") == [(8,)]
