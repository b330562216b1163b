from typing import Any

from jobs.events import brokers


def test_brokers_join_leave_and_bounce(changes: Any, rows_of: Any, told: Any) -> None:
    old = {"endpoints": ["PLAINTEXT://b:9092"], "epoch": 10, "rack": "r1"}
    changed = changes(
        "brokers",
        (None, {"broker_id": 1, **old}),
        ({"broker_id": 2, **old}, None),
        ({"broker_id": 3, **old}, {"broker_id": 3, **old, "epoch": 25}),
        ({"broker_id": 4, **old}, {"broker_id": 4, **old, "rack": "r2"}),  # only the rack: no bounce
        (
            {"broker_id": 5, **old},
            {"broker_id": 5, **old, "epoch": None},
        ),  # told by another source now: no bounce
        ({"broker_id": 6, "fenced": False}, {"broker_id": 6, "fenced": True}),
        ({"broker_id": 7, "fenced": True}, {"broker_id": 7, "fenced": False}),
        ({"broker_id": 8, "fenced": None}, {"broker_id": 8, "fenced": False}),
        (None, {"broker_id": 9, **old, "fenced": True}),  # registered, but not there: it has not joined
        ({"broker_id": 10, **old, "fenced": True}, None),
        ({"broker_id": 11, **old, "fenced": False}, None),
        (  # told by ZooKeeper, and by a checkpoint of the quorum, which counts otherwise: no bounce
            {"broker_id": 13, "epoch": 10, "session": 7, "fenced": None},
            {"broker_id": 13, "epoch": 25, "fenced": False},
        ),
        ({"broker_id": 12, "epoch": None, "fenced": False}, {"broker_id": 12, "epoch": 7, "fenced": True}),
    )
    partitions = rows_of(
        "partitions",
        {"topic": "orders", "partition": 0, "replicas": [2, 3]},
        {"topic": "orders", "partition": 1, "replicas": [2, 1]},
    )
    assert told(brokers, changed, partitions) == {
        ("broker-joined", "broker 1", None, "PLAINTEXT://b:9092", 1),
        ("broker-left", "broker 2", "PLAINTEXT://b:9092", None, 2),
        ("broker-bounced", "broker 3", "10", "25", 1),
        ("broker-fenced", "broker 6", "false", "true", 0),
        ("broker-unfenced", "broker 7", "true", "false", 0),
        ("broker-unregistered", "broker 10", "PLAINTEXT://b:9092", None, 0),
        ("broker-left", "broker 11", "PLAINTEXT://b:9092", None, 0),
        ("broker-fenced", "broker 12", "false", "true", 0),
    }
