from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from jobs.checks.topic_id_mismatch import CHECK

OLD, NEW = "vV5u0_NiSR-iJzmV8S97dg", "c8DXNpGiSY2eJOVY1qqjbA"
READ = datetime(2026, 11, 21, 14, 0, tzinfo=UTC)
BEFORE, AFTER = READ - timedelta(hours=1), READ + timedelta(minutes=1)

Rows = list[dict[str, Any]]


def _topic(name: str, topic_id: str | None = NEW, **more: Any) -> dict[str, Any]:
    return {
        "topic": name,
        "topic_id": topic_id,
        "czxid": 40,
        "data_version": 4,
        "modified_at": BEFORE,
        **more,
    }


def _replica(
    topic: str, topic_id: str | None, broker: int, partition: int = 0, **more: Any
) -> dict[str, Any]:
    names = ("topic", "topic_id", "broker_id", "partition", "kind", "metadata_modified_at")
    return dict(zip(names, (topic, topic_id, broker, partition, "current", BEFORE), strict=True)) | more


@pytest.fixture
def found(now: Any, verdicts: Any) -> Any:
    """Verdicts by topic, those that are fine left out; partitions 0 and 1 have replicas 1 and 2, both in sync."""

    def of(topics: Rows, replicas: Rows, *more: Any, isr: tuple[int, ...] = (1, 2)) -> Any:
        assigned = [
            {"topic": each["topic"], "partition": number, "replicas": [1, 2], "isr": list(isr)}
            for each in topics
            for number in (0, 1)
        ]
        frames = (now("topics", *topics), now("partitions", *assigned), now("disk_replicas", *replicas))
        return verdicts(CHECK, *frames, *more)

    return of


def test_disks_and_cluster_that_differ_or_disks_among_themselves_are_a_mismatch(found: Any) -> None:
    topics = [
        _topic("orders"),
        _topic("mixed"),
        _topic("torn", None),
        _topic("healthy", OLD),
        _topic("latent", None),
        _topic("fresh"),
        _topic("unassigned"),
        _topic("going", deletion_pending=True),
    ]
    replicas = [
        _replica("orders", OLD, 1),
        _replica("orders", OLD, 2, partition=1),
        _replica("mixed", OLD, 1),
        _replica("mixed", NEW, 2),
        _replica("torn", OLD, 1),
        _replica("torn", NEW, 2),
        _replica("healthy", OLD, 1),
        _replica("latent", OLD, 1),
        _replica("fresh", None, 1),
        _replica("unassigned", OLD, 3),
        _replica("going", OLD, 1),
    ]
    verdicts = found(topics, replicas)
    assert {name: (each["is_hit"], each["severity"]) for name, each in verdicts.items()} == dict.fromkeys(
        ("orders", "mixed", "torn"), (True, "critical")
    )
    assert verdicts["orders"]["evidence"] == {
        "cluster_topic_id": NEW,
        "disk_topic_ids": [OLD],
        "replicas": ["partition 0 on broker 1", "partition 1 on broker 2"],
        "data_version": 4,
        "controllers_topic_id": None,
    }
    assert verdicts["orders"]["remedy"] == CHECK.remedy
    assert verdicts["mixed"]["evidence"]["replicas"] == ["partition 0 on broker 1"]
    assert verdicts["torn"]["evidence"]["disk_topic_ids"] == [NEW, OLD]


def test_what_could_still_go_either_way_is_not_judged(found: Any) -> None:
    bad_file = {"problem": "partition.metadata: no topic_id"}
    topics = [
        _topic("unseen", is_current=False),
        _topic("malformed", None, problem="the znode is not a JSON object"),
        _topic("no-metadata"),
        _topic("one-host-unseen"),
        _topic("just-minted", modified_at=AFTER),
        _topic("new-replica"),
    ]
    replicas = [
        _replica("unseen", OLD, 1),
        _replica("malformed", OLD, 1),
        _replica("no-metadata", None, 1, **bad_file),
        _replica("no-metadata", NEW, 2),
        _replica("one-host-unseen", OLD, 1, is_current=False),
        _replica("one-host-unseen", NEW, 2),
        _replica("just-minted", OLD, 1),
        _replica("new-replica", OLD, 1, metadata_modified_at=AFTER),
    ]
    verdicts = found(topics, replicas)
    assert {name: each["is_known"] for name, each in verdicts.items()} == {
        each["topic"]: False for each in topics
    }


def test_one_current_replica_that_contradicts_is_proof_whatever_else_was_not_seen(found: Any) -> None:
    topics = [_topic("orders"), _topic("hidden", is_current=False)]
    replicas = [
        _replica("orders", OLD, 1),
        _replica("orders", NEW, 2, is_current=False),
        _replica("orders", None, 2, partition=1, problem="partition.metadata: no topic_id"),
        _replica("hidden", OLD, 1),
        _replica("hidden", NEW, 2),
    ]
    verdicts = found(topics, replicas)
    assert {name: (each["is_hit"], each["is_known"]) for name, each in verdicts.items()} == {
        "orders": (True, True),
        "hidden": (True, True),  # its disks differ among themselves
    }


def test_a_replica_out_of_sync_with_another_id_while_the_others_serve_is_a_warning_of_its_own(
    found: Any,
) -> None:
    replicas = [_replica("orders", NEW, 1), _replica("orders", OLD, 2)]
    verdict = found([_topic("orders")], replicas, isr=(1,))["orders"]
    assert verdict["severity"] == "warning"
    assert "which directories to set aside" in verdict["remedy"]
    assert found([_topic("orders")], replicas, isr=(2,))["orders"]["severity"] == "critical"


def test_an_id_that_was_put_back_is_cured_by_the_election_only(found: Any, now: Any, past: Any) -> None:
    """The controller of epoch 6 minted NEW, and would write it again."""
    minutes = [READ - timedelta(minutes=number) for number in (30, 20, 10)]
    topics = past(
        "topics",
        *[_topic("orders", each, changed_at=at) for each, at in zip((OLD, None, NEW), minutes, strict=True)],
    )
    controllers = past(
        "controllers", {"epoch": 5, "changed_at": minutes[0]}, {"epoch": 6, "changed_at": minutes[2]}
    )

    def judged(epoch: int) -> Any:
        ruling = now("controllers", {"controller_id": 1, "epoch": epoch})
        return found([_topic("orders", OLD)], [_replica("orders", OLD, 1)], topics, controllers, ruling)

    assert judged(6)["orders"]["evidence"]["controllers_topic_id"] == NEW
    assert judged(6)["orders"]["severity"] == "critical"
    assert judged(5) == {}  # elected when the znode said OLD
    assert judged(7) == {}  # elected since


def test_on_kraft_replicas_of_an_earlier_topic_are_set_aside_by_kafka_itself(
    found: Any, now: Any, past: Any
) -> None:
    """A topic was deleted and made anew while broker 2 was down."""
    quorum = now("quorum", {"leader_id": 101})
    topics = [_topic("orders", czxid=None, modified_at=None)]
    stale = _replica("orders", OLD, 2, metadata_modified_at=BEFORE - timedelta(days=1))
    verdict = found(topics, [_replica("orders", NEW, 1), stale], quorum)["orders"]
    assert (verdict["severity"], "Nothing is in danger" in verdict["remedy"]) == ("info", True)
    assert (
        found(topics, [_replica("orders", None, 1), stale], quorum, isr=(1,))["orders"]["severity"] == "info"
    )
    known_before = past("topics", _topic("orders", OLD, czxid=None, changed_at=BEFORE))
    assert found(topics, [stale], quorum, known_before)["orders"]["severity"] == "info"


def test_on_kraft_disks_that_are_not_known_to_be_older_must_not_be_restarted(found: Any, now: Any) -> None:
    """The controllers' metadata may be a backup's: a broker that starts would set its data aside."""
    topics = [_topic("orders", czxid=None, modified_at=None)]
    verdict = found(topics, [_replica("orders", OLD, 1)], now("quorum", {"leader_id": 101}))["orders"]
    assert verdict["severity"] == "critical"
    assert verdict["remedy"].startswith("Restart no broker: on KRaft")
