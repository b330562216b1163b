"""Why leaders moved, and which elections were unclean."""

from typing import Any

import pytest

from jobs.events import partitions

ASSIGNED = {"topic": "orders", "partition": 0, "replicas": [2, 1, 3]}
LED_BY_1 = ASSIGNED | {"leader": 1, "isr": [1, 2, 3], "leader_epoch": 4, "partition_epoch": 9}
LED_BY_2 = LED_BY_1 | {"leader": 2, "leader_epoch": 5, "partition_epoch": 10}
ON = {"broker_id": 1, "fenced": False}
DIR = {"broker_id": 1, "path": "/d1"}


@pytest.fixture
def reason_of(changes: Any, reasons: Any) -> Any:
    """Why broker 1 does not lead any more, with changes of brokers beside."""

    def reason(after: dict[str, Any], *frames: Any) -> dict[str, str]:
        found = reasons(partitions, changes("partitions", (LED_BY_1, after)), *frames)
        return {event: why for event, why in found.items() if event != "isr-shrank"}

    return reason


def test_a_leader_moves_because_its_broker_went_away(changes: Any, reason_of: Any) -> None:
    def why(*pair: Any) -> dict[str, str]:
        found: dict[str, str] = reason_of(LED_BY_2, changes("brokers", pair))
        return found

    assert why(ON, None) == {"leader-moved": "broker-left"}
    assert why(ON, ON | {"fenced": True}) == {"leader-moved": "broker-fenced"}
    assert why(ON | {"epoch": 7}, ON | {"epoch": 9}) == {"leader-moved": "broker-bounced"}
    assert why(ON | {"rack": "a"}, ON | {"rack": "b"}) == {"leader-moved": "preferred-election"}
    assert why(ON | {"broker_id": 3}, None) == {"leader-moved": "preferred-election"}


def test_a_leader_moves_by_an_election_or_a_reassignment(changes: Any, rows_of: Any, reason_of: Any) -> None:
    leaving = rows_of("checkpoint_brokers", {"registered_id": 1, "in_controlled_shutdown": True})
    unassigned = LED_BY_2 | {"replicas": [2, 3], "isr": [2, 3]}
    assert reason_of(LED_BY_2) == {"leader-moved": "preferred-election"}
    assert reason_of(LED_BY_2 | {"leader": 3}) == {"leader-moved": "unknown"}, "not the preferred one"
    assert reason_of(LED_BY_2 | {"isr": [2, 3]}) == {"leader-moved": "unknown"}, "the old one fell out"
    assert reason_of(LED_BY_2 | {"isr": [2, 3]}, leaving) == {"leader-moved": "controlled-shutdown"}
    assert reason_of(unassigned) == {"leader-moved": "reassignment"}
    assert reason_of(unassigned, changes("brokers", (ON, None))) == {"leader-moved": "reassignment"}


def test_a_leader_moves_from_a_log_dir_that_failed(changes: Any, reason_of: Any) -> None:
    failed = changes("admin_log_dirs", (DIR, DIR | {"error": "KAFKA_STORAGE_ERROR"}))
    assert reason_of(LED_BY_2 | {"isr": [2, 3]}, failed) == {"leader-moved": "failed-log-dir"}
    assert reason_of(LED_BY_2, failed) == {"leader-moved": "preferred-election"}, "its replica is on another"
    assert reason_of(LED_BY_1 | {"leader": -1, "isr": [1]}, failed) == {"partition-offline": "failed-log-dir"}


def test_a_partition_goes_offline_because_its_broker_went_away(changes: Any, reason_of: Any) -> None:
    offline = LED_BY_1 | {"leader": -1, "isr": [1]}
    assert reason_of(offline, changes("brokers", (ON, None))) == {"partition-offline": "broker-left"}
    assert reason_of(offline) == {"partition-offline": "unknown"}


OFFLINE = ASSIGNED | {"leader": -1, "isr": [1], "leader_epoch": 5, "partition_epoch": 10}
ELECTED = OFFLINE | {"leader": 2, "isr": [2], "leader_epoch": 6, "partition_epoch": 11}
ALONE = LED_BY_1 | {"isr": [1]}


@pytest.mark.parametrize(
    ("before", "after", "is_unclean"),
    [
        (OFFLINE, ELECTED, True),
        (OFFLINE, ELECTED | {"leader": 1, "isr": [1]}, False),
        # over the Admin API, which tells no partition epoch
        (OFFLINE | {"partition_epoch": None}, ELECTED | {"partition_epoch": None}, True),
        (OFFLINE | {"eligible_leader_replicas": [2]}, ELECTED, False),
        (OFFLINE | {"isr": [], "eligible_leader_replicas": [3]}, ELECTED, True),
        (OFFLINE | {"isr": []}, ELECTED, False),  # nobody tells who was eligible
        # 1 came back and led, 2 joined, and then 1 died again
        (OFFLINE, ELECTED | {"leader_epoch": 7, "partition_epoch": 13}, False),
        # 2 joined the ISR before 1 died: a rolling restart with two replicas
        (ALONE, ELECTED | {"leader_epoch": 5, "partition_epoch": 11}, False),
        # nobody can have joined: both writes were the controller's
        (ALONE, ELECTED | {"leader_epoch": 6, "partition_epoch": 11}, True),
        (ALONE, ELECTED | {"leader_epoch": 5, "partition_epoch": None}, False),
        (ALONE | {"recovering": False}, ELECTED | {"partition_epoch": 20, "recovering": True}, True),
        (LED_BY_1, LED_BY_2, False),
    ],
)
def test_an_election_is_unclean_where_nothing_else_can_have_happened(
    changes: Any, told: Any, before: Any, after: Any, is_unclean: bool
) -> None:
    found = {row for row in told(partitions, changes("partitions", (before, after))) if "unclean" in row[0]}
    isr = ",".join(map(str, before["isr"]))
    assert found == ({("leader-elected-unclean", "orders-0", isr, "2", 1)} if is_unclean else set())


def test_no_election_is_unclean_across_the_lives_of_a_topic(changes: Any, told: Any) -> None:
    recreated = changes("topics", ({"topic": "orders", "czxid": 7}, {"topic": "orders", "czxid": 9}))
    assert told(partitions, changes("partitions", (OFFLINE, ELECTED)), recreated) == set()
