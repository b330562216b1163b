"""`varve plan topic-id`: what it takes from the newest snapshot, and what it prints."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

FIRST, SECOND, THIRD = (f"20261121T14{minute}00Z" for minute in ("00", "10", "20"))
OLD, NEW = "vV5u0_NiSR-iJzmV8S97dg", "A1b2C3d4E5f6G7h8I9j0Kg"
AT = datetime(2026, 11, 21, 13, 0, tzinfo=UTC)

Planned = Callable[..., list[dict[str, Any]]]


class Seen:
    """What snapshots of a ZooKeeper-mode cluster saw: topic orders on brokers 1 and 2, with its id on the disks."""

    def __init__(self, lake: Any) -> None:
        self.lake = lake

    def healthy(self) -> None:
        self.topic(FIRST, OLD, op="keyframe")
        self.row("controllers", controller_id=1, epoch=5, kraft_epoch=-1)
        self.row("partitions", topic="orders", partition=0, replicas=[1, 2], isr=[1, 2], leader=1)
        for broker in (1, 2):
            self.row("brokers", broker_id=broker, endpoints=[f"PLAINTEXT://b{broker}:9092"])
            self.disk(FIRST, broker, OLD, op="keyframe")
        self.lake.commit(FIRST, sources=("zookeeper", "log_dirs"))

    def row(self, table: str, snapshot_id: str = FIRST, op: str = "keyframe", **columns: Any) -> None:
        self.lake.change(table, snapshot_id, op, FIRST, **columns)

    def topic(
        self, snapshot_id: str, topic_id: str | None, name: str = "orders", op: str = "update", **columns: Any
    ) -> None:
        given = {"data_version": 7, "czxid": 40, "deletion_pending": False, **columns}
        self.row("topics", snapshot_id, op, topic=name, topic_id=topic_id, modified_at=AT, **given)
        stat: dict[str, Any] = dict.fromkeys(("czxid", "mzxid", "pzxid"), 40) | {"ctime": AT, "mtime": AT}
        stat |= dict.fromkeys(("cversion", "aversion", "ephemeral_owner", "num_children", "data_length"), 0)
        data = '{"version":2,"partitions":{"0":[1,2]}}'
        self.row(
            "znodes",
            snapshot_id,
            op,
            path=f"/brokers/topics/{name}",
            data=data,
            encoding="utf-8",
            version=7,
            **stat,
        )

    def disk(self, snapshot_id: str, broker: int, topic_id: str | None, op: str = "update") -> None:
        where = {"broker_id": broker, "path": "/d0", "dir_name": "orders-0", "kind": "current"}
        self.row("disk_replicas", snapshot_id, op, topic="orders", partition=0, topic_id=topic_id, **where)

    def second(self, *gaps: tuple[str, str, str, str], authority: str = "zookeeper") -> None:
        self.lake.commit(SECOND, *gaps, sources=("zookeeper", "log_dirs"), authority=authority)


@pytest.fixture
def seen(lake: Any) -> Seen:
    seen = Seen(lake)
    seen.healthy()
    return seen


@pytest.fixture
def planned(varve: Any) -> Planned:
    def steps() -> list[dict[str, Any]]:
        ended = varve("plan", "topic-id", "--cluster", "orders", "--format", "json")
        assert ended.code == 0, ended.err
        found: list[dict[str, Any]] = json.loads(ended.out)
        return found

    return steps


def brief(steps: list[dict[str, Any]]) -> list[tuple[str, str, bool]]:
    return [(step["subject"], step["state"], bool(step["run"])) for step in steps]


@pytest.mark.usefixtures("seen")
def test_a_healthy_cluster_needs_nothing_and_says_so(planned: Planned, varve: Any) -> None:
    assert planned() == []
    ended = varve("plan", "topic-id", "--cluster", "orders")
    first, *_, as_of = ended.out.splitlines()
    assert first == "orders: every topic has one id: nothing to do"
    assert as_of.startswith("as of 2026-11-21 14:00:05Z")


def test_a_lost_id_is_planned_with_the_addresses_of_the_cluster(
    seen: Seen, planned: Planned, varve: Any
) -> None:
    seen.topic(SECOND, None)
    seen.second()
    (step,) = planned()
    assert (step["cluster"], step["step"], step["subject"], step["state"]) == (
        "orders",
        1,
        "orders",
        "latent",
    )
    assert "--bootstrap-server b1:9092,b2:9092" in step["run"]
    assert "$ zookeeper-shell.sh 127.0.0.1:1 get /kafka/brokers/topics/orders" in step["after"]
    printed = varve("plan", "topic-id", "--cluster", "orders").out
    assert printed.startswith("orders: one step after the other\n1. orders latent  Reassign orders-0 ")
    assert all(f"   $ {line}\n" in printed for line in step["run"].splitlines())


def test_a_minted_id_is_planned_with_the_version_that_was_seen(seen: Seen, planned: Planned) -> None:
    seen.topic(SECOND, NEW, data_version=9)
    seen.row("controllers", SECOND, "update", controller_id=2, epoch=6, kraft_epoch=-1)
    seen.second()
    write, elect = planned()
    assert write["run"].startswith("zookeeper-shell.sh 127.0.0.1:1 set -v 9 /kafka/brokers/topics/orders '{")
    assert f'"topic_id":"{OLD}"' in write["run"]
    assert elect["run"] == "zookeeper-shell.sh 127.0.0.1:1 delete /kafka/controller"


def test_after_the_id_was_put_back_the_election_is_still_planned_until_it_has_been(
    seen: Seen, planned: Planned
) -> None:
    seen.topic(SECOND, NEW)
    seen.row("controllers", SECOND, "update", controller_id=2, epoch=6, kraft_epoch=-1)
    seen.second()
    seen.topic(THIRD, OLD)
    seen.lake.commit(THIRD, sources=("zookeeper", "log_dirs"))
    assert brief(planned()) == [("controller", "mismatch", True)]
    after = "20261121T143000Z"
    seen.row("controllers", after, "update", controller_id=1, epoch=7, kraft_epoch=-1)
    seen.lake.commit(after, sources=("zookeeper", "log_dirs"))
    assert planned() == []


def test_a_broker_whose_disks_were_not_seen_keeps_the_id_from_being_written(
    seen: Seen, planned: Planned
) -> None:
    seen.topic(SECOND, None)
    seen.row("brokers", SECOND, "delete", broker_id=2)
    seen.second(("log_dirs", "/2", "unreachable", "no route"))
    (step,) = planned()
    assert step["run"] == ""
    assert "the ids on disk of orders-0 on broker 2 are not known" in step["not_now"]


@pytest.mark.parametrize(
    ("table", "row", "why"),
    [
        ("reassignments", {"topic": "orders", "partition": 0, "replicas": [1, 2]}, "it is being reassigned"),
        (
            "pending_requests",
            {"request": "reassign_partitions", "topic": "orders", "znode": "/admin/reassign_partitions"},
            "it is being reassigned",
        ),
        ("migration", {"controller_id": 3000}, "a migration to KRaft is under way"),
        ("controllers", {"controller_id": 3000, "kraft_epoch": 2}, "a migration to KRaft is under way"),
    ],
)
def test_what_is_under_way_keeps_everybodys_hands_off(
    seen: Seen, planned: Planned, table: str, row: dict[str, Any], why: str
) -> None:
    seen.topic(SECOND, None)
    seen.row(table, SECOND, "update" if table == "controllers" else "create", **row)
    seen.second()
    (step,) = planned()
    assert step["run"] == ""
    assert why in " ".join(step["not_now"])


@pytest.mark.parametrize(
    ("is_pending", "why"),
    [(True, "it is being deleted"), (None, "whether it is being deleted is not known")],
)
def test_a_topic_that_is_or_may_be_deleted_is_left_alone(
    seen: Seen, planned: Planned, is_pending: bool | None, why: str
) -> None:
    seen.topic(SECOND, None, deletion_pending=is_pending)
    seen.second()
    assert planned()[0]["not_now"] == [why]


def test_while_it_was_not_seen_whether_a_migration_is_under_way_nothing_is_changed(
    seen: Seen, planned: Planned
) -> None:
    seen.topic(SECOND, None)
    seen.second(("zookeeper", "/migration", "unauthorized", "no read right"))
    assert planned()[0]["not_now"] == ["whether a migration is under way was not seen"]


def test_nobody_is_elected_while_part_of_the_topics_is_not_seen(seen: Seen, planned: Planned) -> None:
    seen.topic(SECOND, NEW)
    seen.topic(FIRST, OLD, "hidden", op="keyframe")
    scopes = ("/brokers/topics/hidden", "/brokers/topics/new", "/brokers/topics/orders/partitions/0/state")
    seen.second(*[("zookeeper", scope, "unsettled", "it moved") for scope in scopes])
    write, elect = planned()
    assert write["run"]
    assert elect["not_now"] == ["hidden was not seen", "new was not seen"]


def test_on_kraft_nothing_is_to_be_done_by_hand(seen: Seen, planned: Planned) -> None:
    seen.topic(SECOND, NEW)
    seen.second(authority="kafka")
    (step,) = planned()
    assert step["run"] == ""
    assert "never delete partition.metadata" in step["not_now"][0]


def test_before_kafka_2_8_no_topic_has_an_id_and_none_is_missing(lake: Any, planned: Planned) -> None:
    seen = Seen(lake)
    seen.topic(FIRST, None, op="keyframe")
    lake.commit(FIRST, sources=("zookeeper", "log_dirs"))
    assert planned() == []


def test_a_topic_without_an_id_on_any_disk_takes_a_new_one_unharmed(seen: Seen, planned: Planned) -> None:
    seen.topic(SECOND, None, "fresh", op="create")
    seen.row("partitions", SECOND, "create", topic="fresh", partition=0, replicas=[1], isr=[1], leader=1)
    where = {"broker_id": 1, "path": "/d0", "dir_name": "fresh-0", "kind": "current"}
    seen.row("disk_replicas", SECOND, "create", topic="fresh", partition=0, **where)
    seen.second()
    assert planned() == []


def test_a_cluster_without_a_snapshot_is_named(varve: Any, seen: Seen) -> None:
    ended = varve("plan", "topic-id")
    assert ended.code == 0
    assert "no snapshot of billing yet" in ended.err
    assert seen.lake.cluster in ended.out


def test_a_partition_whose_state_was_not_seen_is_not_reassigned(seen: Seen, planned: Planned) -> None:
    seen.topic(SECOND, None)
    seen.second(("zookeeper", "/brokers/topics/orders/partitions/0/state", "unsettled", "it moved"))
    (step,) = planned()
    assert "zookeeper-shell.sh 127.0.0.1:1 set -v 7" in step["run"]


def test_that_a_topic_may_elect_unclean_is_taken_from_its_configs(seen: Seen, planned: Planned) -> None:
    config = {"scope": "topic", "entity": "orders", "name": "unclean.leader.election.enable", "value": "true"}
    seen.row("configs", SECOND, "create", **config)
    seen.topic(SECOND, OLD)
    seen.row("partitions", SECOND, "create", topic="orders", partition=1, replicas=[1], isr=[1], leader=1)
    where = {"broker_id": 1, "path": "/d0", "dir_name": "orders-1", "kind": "current", "partition": 1}
    seen.row("disk_replicas", SECOND, "create", topic="orders", topic_id=NEW, **where)
    seen.second()
    (step,) = planned()
    assert step["not_now"][0].startswith("orders-1 may be led by a broker without all its records")
