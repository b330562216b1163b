from typing import Any

from jobs.checks.stale_metadata import CHECK

ASKED = {"topic": None, "partition": None, "compared": 2, "differing": 0, "reference_id": 1}
ORDERS = {"topic": "orders", "partition": 0, "reference_id": 1}


def test_a_broker_with_an_older_epoch_is_found_and_one_that_agrees_is_not(now: Any, judged: Any) -> None:
    views = now(
        "broker_views",
        ASKED | {"broker_id": 1},
        ASKED | {"broker_id": 2},
        ASKED | {"broker_id": 3, "differing": 2},
        ORDERS
        | {
            "broker_id": 3,
            "leader": 2,
            "leader_epoch": 4,
            "reference_leader": 1,
            "reference_leader_epoch": 5,
        },
        ORDERS
        | {"broker_id": 3, "partition": 1, "leader": 2, "leader_epoch": 4}
        | {"reference_leader": 1, "reference_leader_epoch": 5},
    )
    assert judged(CHECK, views) == {
        "broker 3": {
            "for_example": "orders-0",
            "says": {"leader": 2, "leader_epoch": 4},
            "broker_that_knows_better": 1,
            "it_says": {"leader": 1, "leader_epoch": 5},
        }
    }


def test_the_broker_that_the_others_are_compared_with_may_be_the_stale_one(now: Any, judged: Any) -> None:
    newer = {"leader": 2, "leader_epoch": 5, "reference_leader": 1, "reference_leader_epoch": 4}
    views = now("broker_views", ORDERS | newer | {"broker_id": 2}, ORDERS | newer | {"broker_id": 3})
    assert judged(CHECK, views) == {
        "broker 1": {
            "for_example": "orders-0",
            "says": {"leader": 1, "leader_epoch": 4},
            "broker_that_knows_better": 2,
            "it_says": {"leader": 2, "leader_epoch": 5},
        }
    }


def test_whoever_does_not_know_the_partition_is_stale(now: Any, judged: Any) -> None:
    unknown = ORDERS | {"broker_id": 2, "reference_leader": 1, "reference_leader_epoch": 0}
    views = now("broker_views", unknown)
    assert judged(CHECK, views)["broker 2"]["says"] == {"leader": None, "leader_epoch": None}


def test_a_broker_that_was_not_asked_this_time_may_be_stale_still(now: Any, judged: Any) -> None:
    before = {"leader": 2, "leader_epoch": 4, "reference_leader": 1, "reference_leader_epoch": 5}
    views = now("broker_views", ORDERS | before | {"broker_id": 3, "is_current": False})
    assert judged(CHECK, views) == {"broker 3": "unknown"}
