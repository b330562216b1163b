from typing import Any

import pytest

from jobs.checks.replica_ahead import CHECK

OLD, NEW = "vV5u0_NiSR-iJzmV8S97dg", "c8DXNpGiSY2eJOVY1qqjbA"


def _replica(topic: str, broker: int, epoch: int, topic_id: str | None = OLD) -> dict[str, Any]:
    place = {"broker_id": broker, "path": "/d0", "dir_name": f"{topic}-0", "kind": "current"}
    epochs = [{"epoch": 0, "start_offset": 0}, {"epoch": epoch, "start_offset": 9}]
    return {**place, "topic": topic, "partition": 0, "topic_id": topic_id, "leader_epochs": epochs}


def test_an_epoch_on_a_disk_that_the_cluster_has_not_reached_is_ahead(
    now: Any, past: Any, changes: Any, judged: Any
) -> None:
    names = ("ahead", "level", "recreated", "moved-away", "just-elected", "unseen", "going")
    partitions = [
        {"topic": name, "partition": 0, "replicas": [1, 2], "leader_epoch": 5, "is_current": name != "unseen"}
        for name in names
    ]
    topics = [{"topic": name, "topic_id": OLD, "deletion_pending": name == "going"} for name in names]
    replicas = now(
        "disk_replicas",
        _replica("ahead", 1, 7),
        _replica("ahead", 2, 5),
        _replica("level", 1, 5),
        _replica("recreated", 1, 7, NEW),
        _replica("moved-away", 3, 7),
        _replica("just-elected", 1, 6),
        _replica("unseen", 1, 7),
        _replica("going", 1, 7),
    )
    elected = changes("disk_replicas", {"broker_id": 1, "path": "/d0", "dir_name": "just-elected-0"})
    earlier = past("log_dirs", *({"broker_id": broker, "path": "/d0"} for broker in (1, 2, 3)))
    given = (replicas, now("partitions", *partitions), now("topics", *topics), elected)
    assert judged(CHECK, *given, earlier) == {
        "ahead-0": {"leader_epoch": 5, "replicas": [{"broker_id": 1, "leader_epoch": 7}]},
        "just-elected-0": "unknown",
        "unseen-0": "unknown",
    }
    assert judged(CHECK, *given) == dict.fromkeys(("ahead-0", "just-elected-0", "unseen-0"), "unknown")


@pytest.mark.parametrize(
    ("quorum", "view", "said"),
    [
        ({"leader_id": 101}, 6, "found"),
        ({"leader_id": 101}, 7, "fine"),
        ({"leader_id": -1}, 6, "unknown"),
        ({"leader_id": 101, "is_current": False}, 6, "unknown"),
        (None, 7, "found"),
    ],
)
def test_under_kraft_a_broker_that_lags_or_hears_no_leader_proves_nothing(
    now: Any, past: Any, judged: Any, quorum: dict[str, Any] | None, view: int, said: str
) -> None:
    given = (
        now("disk_replicas", _replica("orders", 1, 7)),
        now("partitions", {"topic": "orders", "partition": 0, "replicas": [1, 2], "leader_epoch": 5}),
        now("topics", {"topic": "orders", "topic_id": OLD}),
        now("quorum", *([quorum] if quorum else [])),
        now("broker_views", {"broker_id": 2, "topic": "orders", "partition": 0, "leader_epoch": view}),
        past("log_dirs", {"broker_id": 1, "path": "/d0"}),
    )
    evidence = {"leader_epoch": 5, "replicas": [{"broker_id": 1, "leader_epoch": 7}]}
    expected = {"found": {"orders-0": evidence}, "fine": {}, "unknown": {"orders-0": "unknown"}}
    assert judged(CHECK, *given) == expected[said]
