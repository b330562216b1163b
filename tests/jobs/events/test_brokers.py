from datetime import UTC, datetime
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
        ("broker-bounced", "broker 3", "epoch 10", "epoch 25", 1),
        ("broker-fenced", "broker 6", "false", "true", 0),
        ("broker-unfenced", "broker 7", "true", "false", 0),
        ("broker-unregistered", "broker 10", "PLAINTEXT://b:9092", None, 0),
        ("broker-left", "broker 11", "PLAINTEXT://b:9092", None, 0),
        ("broker-fenced", "broker 12", "false", "true", 0),
    }


def test_a_bounce_is_told_by_when_the_broker_registered(changes: Any, told: Any) -> None:
    def registered(minute: int) -> dict[str, Any]:
        instant = datetime(2026, 11, 21, 14, minute, tzinfo=UTC)
        return {"broker_id": 1, "session": minute, "epoch": 60 + minute, "registered_at": instant}

    assert told(brokers, changes("brokers", (registered(0), registered(7)))) == {
        ("broker-bounced", "broker 1", "2026-11-21T14:00:00.000Z", "2026-11-21T14:07:00.000Z", 0)
    }


AWAY = {"broker_id": 2, "endpoints": ["b:9092"], "fenced": False}


def test_before_kafka_4_a_broker_that_is_missing_in_a_quorum_was_fenced_and_has_not_left(
    changes: Any, rows_of: Any, told: Any
) -> None:
    quorum = rows_of("quorum", {"leader_id": 101, "leader_epoch": 3})
    silent = rows_of("admin_brokers", {"broker_id": 1, "fenced": None})
    telling = rows_of("admin_brokers", {"broker_id": 1, "fenced": False})
    known = rows_of("brokers_history", AWAY)
    gone, back = changes("brokers", (AWAY, None)), changes("brokers", (None, AWAY))
    left = {("broker-left", "broker 2", "b:9092", None, 0)}
    joined = {("broker-joined", "broker 2", None, "b:9092", 0)}
    assert told(brokers, gone, quorum, silent) == {("broker-fenced", "broker 2", "false", "true", 0)}
    assert told(brokers, back, quorum, silent, known) == {("broker-unfenced", "broker 2", "true", "false", 0)}
    assert told(brokers, back, quorum, silent) == joined
    assert told(brokers, gone, quorum, telling) == left
    assert told(brokers, back, quorum, telling, known) == joined
    assert told(brokers, gone, silent) == left  # in ZooKeeper mode nobody is fenced
    in_zookeeper = AWAY | {"session": 7, "fenced": None}
    assert told(brokers, changes("brokers", (in_zookeeper, None)), quorum, silent) == left


def _registration(epoch: int, process: str, node: int = 101) -> dict[str, Any]:
    place = {"broker_id": node, "path": "/d", "registered_id": 2}
    return place | {"epoch": epoch, "incarnation_id": process}


def test_over_the_quorum_another_process_with_a_new_epoch_is_a_bounce(
    changes: Any, rows_of: Any, told: Any
) -> None:
    history = rows_of("checkpoint_brokers_history", _registration(10, "A") | {"written_by": "5"})

    def events(epoch: int, process: str, *frames: Any) -> set[Any]:
        changed = changes(
            "checkpoint_brokers",
            (_registration(10, "A"), _registration(epoch, process)),
            (None, _registration(10, "A", node=102)),  # another controller's checkpoint is behind
        )
        found: set[Any] = told(brokers, changed, history, *frames)
        return found

    bounced = {("broker-bounced", "broker 2", "epoch 10", "epoch 40", 0)}
    assert events(40, "B") == bounced
    assert events(10, "A") == set()
    migrating = _registration(40, "B") | {"is_migrating": True}
    in_both = changes("checkpoint_brokers", (_registration(10, "A"), migrating))
    assert told(brokers, in_both, history) == set()
    seen_away = {"broker_id": 2, "fenced": True, "op": "update"}
    assert events(40, "B", rows_of("brokers_history", seen_away | {"written_by": "6"})) == set()
    assert events(40, "B", rows_of("brokers_history", seen_away | {"written_by": "4"})) == bounced
    back = changes("brokers", ({"broker_id": 2, "fenced": True}, {"broker_id": 2, "fenced": False}))
    assert events(40, "B", back) == {("broker-unfenced", "broker 2", "true", "false", 0)}
