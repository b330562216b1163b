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


def test_a_topic_that_is_being_deleted_is_not_under_replicated(now: Any, judged: Any) -> None:
    row = {"partition": 0, "leader": 1, "isr": [1], "replicas": [1, 2]}
    partitions = now("partitions", {"topic": "going"} | row, {"topic": "stays"} | row)
    topics = now("topics", {"topic": "going", "deletion_pending": True}, {"topic": "stays"})
    assert set(judged(CHECK, partitions, topics)) == {"stays-0"}


def test_a_replica_that_is_being_removed_is_missed_only_where_the_isr_is_too_small(
    now: Any, judged: Any
) -> None:
    moving = {"leader": 1, "replicas": [1, 2, 3, 4], "adding": [4], "removing": [3]}
    partitions = now(
        "partitions",
        moving | {"topic": "a", "partition": 0, "isr": [1, 2, 4]},
        moving | {"topic": "a", "partition": 1, "isr": [1, 2]},
        moving | {"topic": "a", "partition": 2, "isr": [1, 3, 4]},
    )
    assert {subject: facts["missing"] for subject, facts in judged(CHECK, partitions).items()} == {
        "a-1": [3],
        "a-2": [2],
    }


def test_the_cause_is_the_broker_that_is_down_where_every_missing_one_is(now: Any, verdicts: Any) -> None:
    row = {"topic": "a", "leader": 1, "replicas": [1, 2, 3]}
    partitions = now(
        "partitions",
        row | {"partition": 0, "isr": [1, 3]},
        row | {"partition": 1, "isr": [1]},
        row | {"partition": 2, "isr": [1, 2]},
    )
    brokers = now("brokers", {"broker_id": 1}, {"broker_id": 3}, {"broker_id": 2, "fenced": True})
    found = verdicts(CHECK, partitions, brokers)
    assert {subject: (row["cause_check_id"], row["cause_subject"]) for subject, row in found.items()} == {
        "a-0": ("broker-down", "broker 2"),
        "a-1": ("topic-id-mismatch", "a"),
        "a-2": ("topic-id-mismatch", "a"),
    }


def test_the_cause_is_the_failed_log_dir_of_a_broker_that_is_missing_and_up(now: Any, verdicts: Any) -> None:
    row = {"topic": "a", "leader": 1, "replicas": [1, 2, 3]}
    partitions = now(
        "partitions", row | {"partition": 0, "isr": [1, 3]}, row | {"partition": 1, "isr": [1, 2]}
    )
    brokers = now("brokers", *({"broker_id": broker_id} for broker_id in (1, 2, 3)))
    dirs = now(
        "admin_log_dirs",
        {"broker_id": 2, "path": "/d1", "error": "KAFKA_STORAGE_ERROR"},
        {"broker_id": 3, "path": "/d1", "error": None},
    )
    found = verdicts(CHECK, partitions, brokers, dirs)
    assert {subject: (row["cause_check_id"], row["cause_subject"]) for subject, row in found.items()} == {
        "a-0": ("failed-log-dir", "broker 2"),
        "a-1": ("topic-id-mismatch", "a"),
    }
