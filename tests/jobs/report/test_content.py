"""What the report's queries make of a lake."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from jobs.checks.parts.check import all_checks
from jobs.report.content import Content
from jobs.report.queries import OFFLINE, UNDER_REPLICATED

AT_FIRST, AT_SECOND, AT_THIRD = (datetime(2026, 11, 21, 0, m, 5, tzinfo=UTC) for m in (0, 10, 20))
THIRD, FOURTH = "20261121T002000Z", "20261121T003000Z"


def test_a_lost_broker_is_told_by_findings_events_brokers_and_the_past(
    lost_broker: Any, content_of: Callable[[Any], Content]
) -> None:
    content = content_of(lost_broker)

    assert content.severities == [("critical", 1), ("warning", 1)]
    assert [(each.check_id, [found.subject for found in each.findings]) for each in content.incidents] == [
        ("offline-partition", ["orders-0"]),
        ("under-replicated-partition", ["payments-0", "payments-1", "payments-2"]),
    ]
    assert [each.subject for each in content.resolved] == ["broker 1"]
    assert [(group[0].event, len(group)) for group in content.events] == [
        ("broker-left", 1),
        ("controller-moved", 1),
        ("isr-shrank", 1),
        ("leader-moved", 1),
    ]
    assert [
        (each.broker_id, each.is_registered, each.leads, each.replicas, each.out_of_sync)
        for each in content.brokers
    ] == [(1, True, 2, 4, 0), (2, False, 0, 4, 3), (3, True, 2, 3, 0)]
    assert [tuple(each) for each in content.past.trouble] == [
        (AT_FIRST, 0, 0),
        (AT_SECOND, 0, 0),
        (AT_THIRD, 1, 3),
    ]
    assert [tuple(each) for each in content.past.leads if each.node_id == 2] == [
        (AT_FIRST, 2, 2),
        (AT_SECOND, 2, 2),
        (AT_THIRD, 2, 0),
    ]
    assert [tuple(each) for each in content.past.terms] == [(AT_THIRD, 3, 5)]


def test_a_picture_counts_a_finding_until_it_is_resolved(
    lost_broker: Any, say: Any, content_of: Callable[[Any], Content]
) -> None:
    say.findings(FOURTH, {"status": "resolved", "first_seen_at": AT_THIRD}, op="update")
    lost_broker.commit(FOURTH)

    assert [(each.offline, each.lacking) for each in content_of(lost_broker).past.trouble] == [
        (0, 0),
        (0, 0),
        (1, 3),
        (0, 3),
    ]


def test_a_picture_counts_a_finding_once_however_often_its_evidence_changes(
    lost_broker: Any, say: Any, content_of: Callable[[Any], Content]
) -> None:
    say.findings(FOURTH, {"first_seen_at": AT_THIRD, "evidence": {"isr": [2]}}, op="update")
    lost_broker.commit(FOURTH)

    assert [each.offline for each in content_of(lost_broker).past.trouble] == [0, 0, 1, 1]


def test_pictures_count_findings_and_judge_no_partition_themselves(
    healthy: Any, say: Any, content_of: Callable[[Any], Content]
) -> None:
    """Kafka takes the partitions of a topic that is being deleted offline: no check finds anything wrong with it."""
    going = {"topic": "orders", "partition": 0, "replicas": [1, 2], "isr": [2], "leader": -1}
    say.state("partitions", THIRD, "update", going)
    say.state("topics", THIRD, "update", {"topic": "orders", "partitions": 2, "deletion_pending": True})
    say.findings(THIRD, {"check_id": "leader-imbalance", "subject": "broker 1"})
    healthy.commit(THIRD)

    assert [(each.offline, each.lacking) for each in content_of(healthy).past.trouble] == [(0, 0)] * 3


def test_the_findings_that_pictures_count_are_those_of_checks() -> None:
    assert {OFFLINE, UNDER_REPLICATED} <= {check.check_id for check in all_checks()}


def test_members_come_with_how_far_they_are(
    stopped_observer: Any, content_of: Callable[[Any], Content]
) -> None:
    content = content_of(stopped_observer)

    assert [(each.node_id, each.role, each.leads, each.lag) for each in content.members] == [
        (3000, "voter", True, 0),
        (1, "observer", False, 0),
        (2, "observer", False, 800),
    ]
    assert [each.lag for each in content.past.progress if each.node_id == 2] == [0, 0, 400, 800]
