"""The order in which brokers can be restarted, and why one cannot."""

from datetime import UTC, datetime
from typing import Any

from jobs.whatif.order import restart_order

WHOLE = {"replicas": [1, 2, 3], "leader": 1, "isr": [1, 2, 3]}
FOUND = {
    "severity": "warning",
    "status": "open",
    "evidence": "{}",
    "remedy": "look",
    "first_seen_at": datetime(2026, 11, 21, tzinfo=UTC),
}


def order(reader: Any) -> list[tuple[Any, ...]]:
    return [(each.position, each.broker_id, each.why_not) for each in restart_order(reader)]


def test_the_controller_comes_last(cluster: Any) -> None:
    reader = cluster({"orders-0": WHOLE}, controllers=[{"controller_id": 1}])
    assert order(reader) == [(1, 2, None), (2, 3, None), (3, 1, None)]
    assert [each.is_controller for each in restart_order(reader)] == [False, False, True]


def test_a_broker_without_which_a_partition_suffers_has_no_place(cluster: Any) -> None:
    partitions = {
        "orders-0": WHOLE,
        "orders-1": {**WHOLE, "isr": [1]},
        "orders-2": {"replicas": [2], "leader": 2, "isr": [2]},
        "audit-0": {"replicas": [2, 3], "leader": 2, "isr": [2, 3]},
    }
    configs = {("topic", "audit", "min.insync.replicas"): "2"}
    assert order(cluster(partitions, configs=configs)) == [
        (None, 1, "1 partition would go offline"),
        (None, 2, "1 partition would go offline; 1 partition would be under min ISR"),
        (None, 3, "1 partition would be under min ISR"),
    ]


def test_what_each_broker_holds_is_counted(cluster: Any) -> None:
    partitions = {
        "orders-0": WHOLE,
        "orders-1": WHOLE,
        "audit-0": {**WHOLE, "replicas": [2, 1], "isr": [2, 1]},
    }
    first, second, third = restart_order(cluster(partitions))
    assert (first.broker_id, first.leaders_moved, first.partitions_at_min_isr) == (1, 3, 1)
    assert (second.broker_id, second.leaders_moved, second.partitions_at_min_isr) == (2, 0, 1)
    assert (third.broker_id, third.leaders_moved, third.partitions_at_min_isr) == (3, 0, 0)


def test_a_broker_of_which_nothing_is_known_has_no_place(cluster: Any) -> None:
    gaps = (("zookeeper", "/brokers/ids/2", "unreadable", "cut off"),)
    assert order(cluster({"orders-0": {**WHOLE, "problem": "not JSON"}}, brokers=(1, 2, 4), gaps=gaps)) == [
        (1, 4, None),
        (None, 1, "1 partition not seen, or malformed"),
        (
            None,
            2,
            "1 partition not seen, or malformed; the snapshot did not see whether it is there",
        ),
    ]


def test_a_controller_has_no_place_while_an_id_is_latent_and_no_broker_whose_replicas_cannot_rejoin(
    cluster: Any,
) -> None:
    mismatched = {"replicas": [2, 1], "leader": 2, "isr": [2, 1]}
    reader = cluster(
        {"orders-0": WHOLE, "audit-0": mismatched},
        controllers=[{"controller_id": 3}],
        findings=[
            {**FOUND, "check_id": "topic-id-latent", "subject": "orders"},
            {**FOUND, "check_id": "topic-id-mismatch", "subject": "audit"},
        ],
    )
    assert order(reader) == [
        (None, 1, "it could not rejoin 1 topic (topic-id-mismatch)"),
        (None, 2, "it could not rejoin 1 topic (topic-id-mismatch)"),
        (None, 3, "it is the controller, and 1 topic would get a new id (topic-id-latent)"),
    ]


def test_a_resolved_finding_is_no_reason(cluster: Any) -> None:
    resolved = {**FOUND, "check_id": "topic-id-latent", "subject": "orders", "status": "resolved"}
    reader = cluster({"orders-0": WHOLE}, controllers=[{"controller_id": 3}], findings=[resolved])
    assert order(reader)[-1] == (3, 3, None)
