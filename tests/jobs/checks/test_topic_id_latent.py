from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from jobs.checks.topic_id_latent import CHECK

OLD, OTHER = "vV5u0_NiSR-iJzmV8S97dg", "c8DXNpGiSY2eJOVY1qqjbA"
READ = datetime(2026, 11, 21, 14, 0, tzinfo=UTC)
BEFORE, AFTER = READ - timedelta(hours=1), READ + timedelta(minutes=1)
IBP = "inter.broker.protocol.version"


def _topic(name: str, topic_id: str | None = None, **more: Any) -> dict[str, Any]:
    stat = {"czxid": 40, "data_version": 3, "created_at": BEFORE, "modified_at": BEFORE}
    return {"topic": name, "topic_id": topic_id, **stat, **more}


def _replica(topic: str, topic_id: str | None, broker: int = 1, **more: Any) -> dict[str, Any]:
    found = {"broker_id": broker, "topic": topic, "partition": 0, "kind": "current", "topic_id": topic_id}
    return found | {"metadata_modified_at": BEFORE} | more


@pytest.fixture
def found(now: Any, past: Any, verdicts: Any) -> Any:
    """Verdicts on topics of one partition with replicas 1, 2 and 3, by topic; those that are fine are left out."""

    def of(
        topics: list[dict[str, Any]],
        replicas: list[dict[str, Any]],
        ibp: tuple[str, ...] = (),
        before: list[dict[str, Any]] | None = None,
    ) -> Any:
        assigned = [{"topic": each["topic"], "partition": 0, "replicas": [1, 2, 3]} for each in topics]
        settings = [{"broker_id": n, "name": IBP, "value": value} for n, value in enumerate(ibp)]
        frames = (now("topics", *topics), now("partitions", *assigned), now("disk_replicas", *replicas))
        more = (now("broker_settings", *settings), past("topics", *(before or [])))
        return verdicts(CHECK, *frames, *more)

    return of


def test_an_id_on_disk_and_none_in_the_znode_is_latent(found: Any) -> None:
    topics = [
        _topic("orders", znode_version=2),
        _topic("healthy", OLD),
        _topic("malformed", problem="the znode is not a JSON object"),
        _topic("torn"),
        _topic("going", deletion_pending=True),
        _topic("kraft", czxid=None),
    ]
    replicas = [
        _replica("orders", OLD, 1),
        _replica("orders", OLD, 2),
        _replica("orders", None, 3),
        _replica("orders", OTHER, 4),  # not assigned
        _replica("orders", OTHER, 1, kind="stray"),
        _replica("healthy", OLD),
        _replica("malformed", OLD),
        _replica("torn", OLD, 1),
        _replica("torn", OTHER, 2),
        _replica("going", OLD),
        _replica("kraft", OLD),
    ]
    verdicts = found(topics, replicas)
    assert verdicts["orders"]["evidence"] == {
        "disk_topic_id": OLD,
        "replicas_with_it": 2,
        "last_topic_id": None,
        "confidence": "high",
        "znode_version": 2,
        "data_version": 3,
        "znode_modified_at": "2026-11-21T13:00:00.000Z",
    }
    assert (verdicts["orders"]["severity"], verdicts["orders"]["is_known"]) == ("warning", True)
    assert {name for name in verdicts if name != "orders"} == {"malformed"}
    assert not verdicts["malformed"]["is_known"]


def test_one_host_that_cannot_be_read_hides_nothing(found: Any) -> None:
    replicas = [_replica("orders", OLD, 1), _replica("orders", OLD, 2, is_current=False)]
    verdict = found([_topic("orders")], replicas)["orders"]
    assert (verdict["is_hit"], verdict["is_known"], verdict["evidence"]["confidence"]) == (True, True, "high")


@pytest.mark.parametrize("replicas", [[], [_replica("orders", OLD, is_current=False)]])
def test_a_null_id_is_enough_where_the_cluster_gives_ids_but_less_sure(found: Any, replicas: Any) -> None:
    verdict = found([_topic("orders"), _topic("healthy", OLD)], replicas)["orders"]
    assert (verdict["is_hit"], verdict["is_known"], verdict["severity"]) == (True, True, "warning")
    assert verdict["evidence"]["confidence"].startswith("lower")


@pytest.mark.parametrize(
    ("ibp", "is_hit"),
    [
        ((), False),
        (("2.7-IV2", "2.8"), False),
        (("2.8-IV1",), True),
        (("3.9-IV0", "2.8"), True),
        (("2.10",), True),
    ],
)
def test_before_inter_broker_protocol_2_8_no_id_is_missing(
    found: Any, ibp: tuple[str, ...], is_hit: bool
) -> None:
    assert ("orders" in found([_topic("orders")], [], ibp)) == is_hit


def test_an_id_that_the_znode_had_before_is_known_to_be_lost(found: Any) -> None:
    before = [_topic("orders", OLD, changed_at=BEFORE), _topic("again", OLD, czxid=39, changed_at=BEFORE)]
    verdicts = found([_topic("orders"), _topic("again")], [], before=before)
    assert verdicts["orders"]["evidence"]["last_topic_id"] == OLD
    assert verdicts["again"]["evidence"]["last_topic_id"] is None  # an earlier topic of that name


def test_where_no_disk_has_an_id_yet_the_next_election_harms_nobody(found: Any) -> None:
    replicas = [_replica("fresh", None, broker) for broker in (1, 2, 3)]
    topics = [_topic("fresh"), _topic("healthy", OLD)]
    assert found(topics, replicas)["fresh"]["severity"] == "info"
    assert found(topics, replicas[:2])["fresh"]["severity"] == "warning"  # the third may have one


def test_what_was_written_during_the_reads_or_not_seen_is_not_judged(found: Any) -> None:
    topics = [
        _topic("just-written", modified_at=AFTER),
        _topic("new-replica"),
        _topic("unseen", is_current=False),
        _topic("being-created", data_version=0, created_at=READ - timedelta(seconds=2)),
        _topic("healthy", OLD),
    ]
    replicas = [
        _replica("just-written", OLD),
        _replica("new-replica", OLD, metadata_modified_at=AFTER),
        _replica("unseen", OLD),
    ]
    verdicts = found(topics, replicas)
    assert {name: verdict["is_known"] for name, verdict in verdicts.items()} == dict.fromkeys(
        ("just-written", "new-replica", "unseen", "being-created"), False
    )
