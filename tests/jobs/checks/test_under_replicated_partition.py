from typing import Any

from jobs.checks.under_replicated_partition import CHECK


def test_a_replica_that_does_not_follow_is_found_one_that_is_only_being_added_is_not(
    now: Any, judged: Any
) -> None:
    partitions = now(
        "partitions",
        {"topic": "orders", "partition": 0, "leader": 1, "isr": [1, 3], "replicas": [1, 2, 3], "adding": []},
        {"topic": "orders", "partition": 1, "leader": 1, "isr": [3, 1, 2], "replicas": [1, 2, 3]},
        {"topic": "orders", "partition": 2, "leader": 1, "isr": [1, 2], "replicas": [1, 2, 4], "adding": [4]},
        {"topic": "orders", "partition": 3, "leader": -1, "isr": [1], "replicas": [1, 2]},
        {"topic": "orders", "partition": 4, "leader": None, "isr": None, "replicas": [1, 2]},
        {"topic": "orders", "partition": 5, "leader": 1, "isr": [1], "replicas": [1, 2], "is_current": False},
        {"topic": "orders", "partition": 6, "replicas": [1, 2], "problem": "the state names no leader"},
        {"topic": "orders", "partition": 7, "leader": 1, "isr": [1], "problem": "no partitions"},
    )
    assert judged(CHECK, partitions) == {
        "orders-0": {"leader": 1, "isr": [1, 3], "replicas": [1, 2, 3], "missing": [2]},
        "orders-5": "unknown",
        "orders-6": "unknown",
        "orders-7": "unknown",
    }
