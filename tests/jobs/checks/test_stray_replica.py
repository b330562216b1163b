from collections.abc import Callable
from typing import Any

import pytest

from jobs.checks.stray_replica import CHECK

OLD, NEW = "vV5u0_NiSR-iJzmV8S97dg", "c8DXNpGiSY2eJOVY1qqjbA"
MOVED = {"before": {"replicas": [1, 2]}, "after": {"replicas": [1]}}
KNOWN = [{"broker_id": broker, "path": "/d0"} for broker in range(1, 10)]


def _replica(topic: str, broker: int, topic_id: str | None = OLD, kind: str = "current") -> dict[str, Any]:
    name = f"{topic}-0" + (f".0123-{kind}" if kind != "current" else "")
    place = {"broker_id": broker, "path": "/d0", "dir_name": name, "kind": kind}
    return {**place, "topic": topic, "partition": 0, "topic_id": topic_id}


def _partition(topic: str, replicas: list[int], leader: int = 1, **more: Any) -> dict[str, Any]:
    return {"topic": topic, "partition": 0, "replicas": replicas, "leader": leader, **more}


@pytest.fixture
def told(now: Any, past: Any, verdicts: Any) -> Callable[..., Any]:
    def told_of(*frames: Any, replicas: list[Any], partitions: list[Any]) -> Any:
        topics = {part["topic"]: {"topic": part["topic"], "topic_id": OLD} for part in partitions}
        given = (
            now("disk_replicas", *replicas),
            now("partitions", *partitions),
            now("topics", *topics.values()),
            past("log_dirs", *KNOWN),
        )
        found = verdicts(CHECK, *given, *frames)
        return {
            subject: (row["severity"], {name: told for name, told in row["evidence"].items() if told})
            if row["is_known"]
            else "unknown"
            for subject, row in found.items()
        }

    return told_of


def test_what_is_set_aside_or_not_assigned_is_told_a_broker(told: Any) -> None:
    assert told(
        replicas=[
            _replica("gone", 1, kind="stray"),
            _replica("orders", 1),
            _replica("orders", 2),
            _replica("gone", 2),
            _replica("orders", 3, kind="delete"),
            _replica("orders", 4, kind="future"),
            _replica("__cluster_metadata", 5, NEW),
        ],
        partitions=[_partition("orders", [1, 3, 4])],
    ) == {
        "broker 1": ("info", {"set_aside": ["/d0/gone-0.0123-stray"]}),
        "broker 2": ("info", {"not_assigned": ["/d0/gone-0", "/d0/orders-0"]}),
    }


def test_a_replica_of_a_reassignment_or_of_a_topic_that_goes_is_no_stray(told: Any, now: Any) -> None:
    topics = now(
        "topics",
        {"topic": "going", "deletion_pending": True},
        {"topic": "orders", "topic_id": OLD},
    )
    assert (
        told(
            topics,
            replicas=[_replica("orders", 3), _replica("going", 4)],
            partitions=[_partition("orders", [1, 3], adding=[3]), _partition("going", [1])],
        )
        == {}
    )


def test_what_may_be_the_only_copy_is_critical(told: Any) -> None:
    offline = _partition("orders", [1], leader=-1)
    assert told(replicas=[_replica("orders", 2)], partitions=[offline])["broker 2"] == (
        "critical",
        {"not_assigned": ["/d0/orders-0"], "of_offline_partitions": ["/d0/orders-0"]},
    )
    assert told(replicas=[_replica("orders", 2, NEW)], partitions=[offline])["broker 2"][0] == "info"


def test_on_kraft_a_replica_without_its_metadata_will_be_set_aside(told: Any, now: Any) -> None:
    replicas = [_replica("orders", 1, None), _replica("orders", 2, None) | {"problem": "malformed"}]
    partitions = [_partition("orders", [1, 2])]
    assert told(replicas=replicas, partitions=partitions) == {}
    quorum = now("quorum", {"leader_id": 101})
    assert told(quorum, replicas=replicas, partitions=partitions) == {
        "broker 1": ("warning", {"without_topic_id": ["/d0/orders-0"]})
    }


def test_what_one_read_alone_says_is_unknown(told: Any, changes: Any, past: Any) -> None:
    fresh = changes("disk_replicas", {"broker_id": 1, "path": "/d0", "dir_name": "gone-0", "op": "create"})
    moved = changes("partitions", {"topic": "orders", "partition": 0, **MOVED})
    assert told(
        fresh,
        moved,
        replicas=[_replica("gone", 1), _replica("orders", 2), _replica("gone", 3) | {"is_current": False}],
        partitions=[_partition("orders", [1])],
    ) == {"broker 1": "unknown", "broker 2": "unknown", "broker 3": "unknown"}
    never = past("log_dirs")
    assert told(never, replicas=[_replica("gone", 1)], partitions=[_partition("orders", [1])]) == {
        "broker 1": "unknown"
    }
    unseen = _partition("orders", [1], is_current=False)
    assert told(replicas=[_replica("orders", 2)], partitions=[unseen]) == {"broker 2": "unknown"}


def test_nothing_is_stray_while_no_topic_was_ever_seen(told: Any) -> None:
    assert told(replicas=[_replica("orders", 1)], partitions=[]) == {"broker 1": "unknown"}
