from typing import Any

from jobs.checks.broker_down import CHECK

LIVING = ({"broker_id": 1}, {"broker_id": 2})


def _partition(topic: str, replicas: list[int], isr: list[int], leader: int, **more: Any) -> dict[str, Any]:
    return {"topic": topic, "partition": 0, "replicas": replicas, "isr": isr, "leader": leader} | more


def test_a_broker_that_holds_replicas_and_is_not_registered_is_down(
    now: Any, past: Any, verdicts: Any
) -> None:
    partitions = now(
        "partitions",
        _partition("a", [1, 2], [1, 2], 1),
        _partition("b", [1, 2, 3], [1, 2], 1),
        _partition("c", [2, 3], [2], 2),
        _partition("d", [3], [3], -1),
    )
    configs = now("configs", {"scope": "topic", "entity": "c", "name": "min.insync.replicas", "value": "2"})
    was = past("brokers", {"broker_id": 3, "endpoints": ["PLAINTEXT://b3:9092"], "rack": "r3"})
    found = verdicts(CHECK, partitions, now("brokers", *LIVING), configs, was)
    assert list(found) == ["broker 3"]
    assert found["broker 3"]["severity"] == "critical"
    assert found["broker 3"]["is_known"]
    assert found["broker 3"]["evidence"] == {
        "host": "b3:9092",
        "rack": "r3",
        "is_fenced": False,
        "partitions": 3,
        "partitions_offline": 1,
        "partitions_under_min_isr": 1,
        "partitions_under_replicated": 2,
    }


def test_it_is_a_warning_while_every_partition_takes_reads_and_writes(now: Any, verdicts: Any) -> None:
    partitions = now("partitions", _partition("b", [1, 2, 3], [1, 2], 1))
    found = verdicts(CHECK, partitions, now("brokers", *LIVING))["broker 3"]
    assert (found["severity"], found["evidence"]["host"]) == ("warning", None)


def test_a_fenced_broker_is_down_too_though_nothing_may_rest_on_it(now: Any, verdicts: Any) -> None:
    fenced = [
        {"broker_id": number, "fenced": True, "endpoints": [f"b{number}:9092"], "rack": "r"}
        for number in (3, 4)
    ]
    partitions = now("partitions", _partition("b", [1, 2, 3], [1, 2], 1))
    found = verdicts(CHECK, partitions, now("brokers", *LIVING, *fenced))
    assert {subject: row["severity"] for subject, row in found.items()} == {
        "broker 3": "warning",
        "broker 4": "info",
    }
    assert found["broker 4"]["evidence"]["is_fenced"]


def test_a_quorum_before_kafka_4_does_not_tell_whether_a_broker_that_is_away_is_fenced(
    now: Any, judged: Any
) -> None:
    partitions = now("partitions", _partition("b", [1, 2, 3], [1, 2], 1))
    quorum, brokers = now("quorum", {"leader_id": 100}), now("brokers", *LIVING)
    old, new = (
        now("admin_brokers", *({"broker_id": each, "fenced": tells} for each in (1, 2)))
        for tells in (None, False)
    )
    assert "is_fenced" not in judged(CHECK, partitions, quorum, brokers, old)["broker 3"]
    assert judged(CHECK, partitions, quorum, brokers, new)["broker 3"]["is_fenced"] is False


def test_partitions_that_nobody_elected_anybody_for_or_whose_leader_is_gone_are_offline_through_it(
    now: Any, judged: Any
) -> None:
    partitions = now(
        "partitions",
        _partition("born", [3], [3], 1) | {"leader": None, "isr": None},
        _partition("dead", [1, 3], [3], 3, partition_epoch=2),
        _partition("elr", [1, 3], [], -1, eligible_leader_replicas=[3]),
        _partition("disk", [1, 3], [1], -1),
    )
    found = judged(CHECK, partitions, now("brokers", *LIVING))
    assert found["broker 3"]["partitions_offline"] == 3


def test_replicas_that_move_away_and_topics_that_go_are_no_reason(now: Any, judged: Any) -> None:
    partitions = now(
        "partitions",
        _partition("moving", [1, 2, 3], [1, 2], 1, adding=[2], removing=[3]),
        _partition("going", [4], [4], -1),
    )
    topics = now("topics", {"topic": "going", "deletion_pending": True})
    assert judged(CHECK, partitions, topics, now("brokers", *LIVING)) == {}


def test_whether_it_is_down_is_unknown_where_brokers_were_not_seen_or_it_was_seen_in_sync(
    now: Any, judged: Any
) -> None:
    partitions = now("partitions", _partition("a", [1, 3], [1], 1))
    unseen = now("brokers", {"broker_id": 1}, {"broker_id": 2, "is_current": False})
    assert judged(CHECK, partitions, unseen) == {"broker 3": "unknown"}
    just_came = now("partitions", _partition("a", [1, 3], [1, 3], 1))
    assert judged(CHECK, just_came, now("brokers", *LIVING)) == {"broker 3": "unknown"}
    hidden = now("partitions", _partition("a", [1, 3], [1], 1, is_current=False))
    assert judged(CHECK, hidden, now("brokers", *LIVING)) == {"broker 3": "unknown"}
