"""Findings fold into incidents: each is in exactly one, and nothing is lost."""

from collections.abc import Callable
from datetime import UTC, datetime

from jobs.incidents import words
from jobs.incidents.finding import Finding
from jobs.incidents.incident import Incident, incidents
from schemas.judgement import Severity

Found = Callable[..., Finding]
DOWN = ("broker-down", "broker 3")


def subjects(told: list[Incident]) -> list[tuple[list[str], list[str]]]:
    """The subjects of each incident, and of what it explains."""
    return [
        (sorted(f.subject for f in each.findings), sorted(f.subject for f in each.explained)) for each in told
    ]


def test_a_broker_that_is_down_is_one_incident_with_all_its_partitions(found: Found) -> None:
    (incident,) = incidents(
        [
            found(*DOWN, minute=10),
            found("under-replicated-partition", "orders-10", 10, cause=DOWN),
            found("under-replicated-partition", "orders-9", 10, cause=DOWN),
            found("offline-partition", "audit-1", 10, cause=DOWN, severity="critical"),
        ]
    )
    assert (incident.check_id, incident.severity, incident.remedy) == (
        "broker-down",
        Severity.CRITICAL,
        "Remedy of broker-down.",
    )
    assert words.explains(incident) == (
        "1 offline-partition (audit-1), 2 under-replicated-partition (orders-9, orders-10)"
    )


def test_what_is_explained_through_another_finding_belongs_to_the_first_cause(found: Found) -> None:
    mismatch = ("topic-id-mismatch", "orders")
    told = incidents(
        [
            found("under-min-isr", "orders-0", cause=("under-replicated-partition", "orders-0")),
            found("under-replicated-partition", "orders-0", cause=mismatch),
            found(*mismatch),
        ]
    )
    assert subjects(told) == [(["orders"], ["orders-0", "orders-0"])]


def test_an_incident_is_as_old_as_the_oldest_of_its_findings(found: Found) -> None:
    (incident,) = incidents(
        [found(*DOWN, minute=20), found("under-replicated-partition", "orders-0", 10, cause=DOWN)]
    )
    assert incident.since == datetime(2026, 11, 21, 0, 10, 5, tzinfo=UTC)


def test_a_cause_that_is_not_open_or_of_another_cluster_explains_nothing(found: Found) -> None:
    lacking = "under-replicated-partition"
    told = incidents(
        [
            found(*DOWN, status="resolved"),
            found(*DOWN, cluster="billing"),
            found(lacking, "orders-0", cause=DOWN),
        ]
    )
    assert [(each.cluster, subjects([each])) for each in told] == [
        ("billing", [(["broker 3"], [])]),
        ("orders", [(["orders-0"], [])]),
    ]


def test_findings_that_explain_one_another_in_a_circle_are_one_incident_and_not_lost(found: Found) -> None:
    one, other = ("a-check", "a"), ("b-check", "b")
    told = incidents([found(*one, cause=other), found(*other, cause=one), found("c-check", "c", cause=other)])
    assert subjects(told) == [(["a"], ["b", "c"])]


def test_a_finding_that_is_its_own_cause_stands_alone(found: Found) -> None:
    assert subjects(incidents([found(*DOWN, cause=DOWN)])) == [(["broker 3"], [])]


def test_findings_without_a_cause_that_are_alike_are_one_incident_and_others_are_not(found: Found) -> None:
    told = incidents(
        [
            found("single-replica", "audit"),
            found("single-replica", "logs"),
            found("single-replica", "payments", remedy="Another."),
            found("single-replica", "metrics", severity="critical"),
            found("single-replica", "metrics", cluster="billing"),
        ]
    )
    assert sorted(each for each, _ in subjects(told)) == [
        ["audit", "logs"],
        ["metrics"],
        ["metrics"],
        ["payments"],
    ]


def test_the_worst_comes_first_and_of_those_the_newest(found: Found) -> None:
    told = incidents(
        [
            found("a-check", "old warning", 1),
            found("b-check", "new warning", 9),
            found("c-check", "old critical", 2, severity="critical"),
            found("d-check", "info", 9, severity="info"),
        ]
    )
    assert [each.findings[0].subject for each in told] == [
        "old critical",
        "new warning",
        "old warning",
        "info",
    ]


def test_an_incident_says_what_it_was_before_it_got_worse_and_who_wrote_the_znode(found: Found) -> None:
    evidence = '{"znode_version":2,"znode_modified_at":"2026-11-21T00:04:00.000Z"}'
    (incident,) = incidents(
        [
            found("topic-id-mismatch", "orders", 20, severity="critical"),
            found(
                "topic-id-latent",
                "orders",
                10,
                status="resolved",
                became="topic-id-mismatch",
                evidence=evidence,
            ),
            found("topic-id-latent", "audit", 10, status="resolved", became="topic-id-mismatch"),
        ]
    )
    assert words.was(incident) == "topic-id-latent since 2026-11-21 00:10:05Z"
    assert words.writer(incident) == (
        "the znode was written as Kafka 2.4 to 2.7 write it, and their tools with --zookeeper, at 2026-11-21T00:04:00.000Z"
    )


def test_of_many_findings_the_newest_are_listed_in_the_order_of_their_numbers(found: Found) -> None:
    many = [found("offline-partition", f"orders-{number}", number % 2) for number in (11, 2, 10, 9, 1)]
    assert [each.subject for each in words.listed(many, 3)] == ["orders-1", "orders-9", "orders-11"]


def test_an_incident_that_has_nothing_to_say_says_nothing(found: Found) -> None:
    (incident,) = incidents([found("offline-partition", "orders-0")])
    assert (words.explains(incident), words.was(incident), words.writer(incident), words.before(())) == (
        "",
        "",
        "",
        "",
    )


def test_what_is_ignored_is_no_incident_by_itself_and_counts_for_no_severity(found: Found) -> None:
    told = incidents(
        [
            found("single-replica", "logs", ignored="until 2026-12-01: moves away"),
            found(*DOWN, severity="critical", ignored="until 2026-12-01: replaced"),
            found("under-replicated-partition", "orders-0", cause=DOWN),
            found("broker-down", "broker 4", ignored="until 2026-12-01: replaced"),
            found(
                "under-replicated-partition",
                "a-0",
                cause=("broker-down", "broker 4"),
                ignored="until 2026-12-01: x",
            ),
        ]
    )
    assert [(each.severity, subjects([each])) for each in told] == [
        ("warning", [(["broker 3"], ["orders-0"])])
    ]


def test_without_an_open_finding_there_is_no_incident(found: Found) -> None:
    assert incidents([found(*DOWN, status="resolved")]) == []
