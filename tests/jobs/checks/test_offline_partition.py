from typing import Any

from jobs.checks.offline_partition import CHECK


def test_a_partition_without_a_leader_is_offline_unless_its_topic_is_being_deleted(
    now: Any, judged: Any
) -> None:
    partitions = now(
        "partitions",
        {"topic": "audit", "partition": 1, "leader": -1, "isr": [2], "replicas": [2]},
        {
            "topic": "elr",
            "partition": 0,
            "leader": -1,
            "isr": [],
            "eligible_leader_replicas": [2],
            "last_known_elr": [],
            "replicas": [2],
        },
        {"topic": "orders", "partition": 0, "leader": 1, "isr": [1], "replicas": [1, 2]},
        {"topic": "fresh", "partition": 0, "leader": None, "isr": None, "replicas": [1]},
        {"topic": "going", "partition": 0, "leader": -1, "isr": [1], "replicas": [1]},
        {"topic": "hidden", "partition": 0, "leader": -1, "isr": [1], "replicas": [1], "is_current": False},
        {"topic": "no-state", "partition": 0, "replicas": [1], "problem": "the state names no leader"},
        {"topic": "no-assignment", "partition": 0, "leader": -1, "isr": [2], "problem": "no partitions"},
    )
    topics = now(
        "topics",
        {"topic": "audit"},
        {"topic": "elr"},
        {"topic": "going", "deletion_pending": True},
        {"topic": "hidden"},
    )
    brokers = now("brokers", {"broker_id": 1}, {"broker_id": 2, "fenced": True}, {"broker_id": 3})
    evidence = {"leader": -1, "replicas": [2], "replicas_without_broker": [2]}
    assert judged(CHECK, partitions, topics, brokers) == {
        "audit-1": evidence | {"isr": [2]},
        "elr-0": evidence | {"isr": [], "eligible_leader_replicas": [2], "last_known_elr": []},
        "going-0": "fine",
        "hidden-0": "unknown",
        "no-state-0": "unknown",
        "no-assignment-0": {"leader": -1, "isr": [2]},
    }


def test_nobody_is_told_to_start_a_broker_on_an_empty_disk() -> None:
    """Kafka elects it all the same, and the other replicas cut their logs to nothing (seen on 3.6.2 and 3.9.1)."""
    assert "only with its original disks" in CHECK.remedy
    assert "Do **not** start its id on an empty disk" in CHECK.runbook
