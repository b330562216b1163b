"""Why replicas left the ISR."""

from typing import Any

import pytest

from jobs.events import partitions

FULL = {"topic": "orders", "partition": 0, "replicas": [1, 2, 3], "leader": 1, "isr": [1, 2, 3]}
WITHOUT_3 = FULL | {"isr": [1, 2]}
ON = {"broker_id": 3, "fenced": False}
DIR = {"broker_id": 3, "path": "/d1"}
FAILED = DIR | {"error": "KAFKA_STORAGE_ERROR"}


@pytest.fixture
def why(changes: Any, reasons: Any) -> Any:
    """Why the ISR shrank from 1, 2, 3."""

    def reason(after: dict[str, Any], *frames: Any, before: dict[str, Any] = FULL) -> Any:
        return reasons(partitions, changes("partitions", (before, after)), *frames)["isr-shrank"]

    return reason


def test_a_replica_leaves_because_of_what_became_of_its_broker(changes: Any, rows_of: Any, why: Any) -> None:
    assert why(WITHOUT_3, changes("brokers", (ON, None))) == "broker-left"
    assert why(WITHOUT_3, changes("brokers", (ON, ON | {"fenced": True}))) == "broker-fenced"
    assert why(WITHOUT_3, changes("brokers", (ON | {"epoch": 7}, ON | {"epoch": 9}))) == "broker-bounced"
    leaving = rows_of("checkpoint_brokers", {"registered_id": 3, "in_controlled_shutdown": True})
    assert why(WITHOUT_3, leaving) == "controlled-shutdown"


def test_what_became_of_another_broker_is_no_reason(changes: Any, why: Any) -> None:
    assert why(WITHOUT_3) == "unknown"
    assert why(WITHOUT_3, changes("brokers", (ON | {"broker_id": 2}, None))) == "unknown"
    assert why(WITHOUT_3, changes("brokers", (ON | {"rack": "a"}, ON | {"rack": "b"}))) == "unknown"


def test_a_replica_leaves_because_its_log_dir_failed(changes: Any, why: Any) -> None:
    assert why(WITHOUT_3, changes("admin_log_dirs", (DIR, FAILED))) == "failed-log-dir"
    assert why(WITHOUT_3, changes("admin_log_dirs", (FAILED, DIR))) == "unknown"
    assert why(WITHOUT_3, changes("admin_log_dirs", (FAILED, FAILED | {"error": "OTHER"}))) == "unknown"
    left = changes("brokers", (ON, None))
    assert why(WITHOUT_3, changes("admin_log_dirs", (DIR, FAILED)), left) == "broker-left"


def test_a_reassignment_shrinks_the_isr_before_the_assignment(why: Any) -> None:
    moving = FULL | {"removing": [3]}
    assert why(WITHOUT_3 | {"removing": [3]}, before=moving) == "reassignment"
    assert why(WITHOUT_3, before=moving) == "reassignment", "it was cancelled"
    assert why(WITHOUT_3 | {"removing": [2]}, before=FULL) == "unknown"


def test_an_unclean_election_leaves_the_isr_behind(why: Any) -> None:
    offline = FULL | {"leader": -1, "isr": [3], "leader_epoch": 5}
    elected = FULL | {"leader": 1, "isr": [1], "leader_epoch": 6}
    assert why(elected, before=offline) == "unclean-election"
    assert why(elected | {"leader_epoch": 7}, before=offline) == "unknown", "3 may have come back and gone"


def test_two_replicas_that_left_for_two_reasons_have_several(changes: Any, why: Any) -> None:
    alone, both = FULL | {"isr": [1]}, [(ON, None), (ON | {"broker_id": 2}, None)]
    assert why(alone, changes("brokers", *both)) == "broker-left"
    assert why(alone, changes("brokers", both[0])) == "several"
