"""What the report's queries make of a lake."""

from datetime import UTC, datetime

AT_FIRST, AT_SECOND, AT_THIRD = (datetime(2026, 11, 21, 0, m, 5, tzinfo=UTC) for m in (0, 10, 20))
THIRD, FOURTH = "20261121T002000Z", "20261121T003000Z"


def test_a_lost_broker_is_told_by_findings_events_brokers_and_the_past(lost_broker, content_of):
    content = content_of(lost_broker)

    assert content.severities == [("critical", 1), ("warning", 3)]
    assert [(group[0].check_id, [each.subject for each in group]) for group in content.findings] == [
        ("offline-partition", ["orders-0"]),
        ("under-replicated-partition", ["payments-0", "payments-1", "payments-2"]),
    ]
    assert [each.subject for each in content.resolved] == ["broker 1"]
    assert [(group[0].event, len(group)) for group in content.events] == [
        ("broker-left", 1),
        ("controller-moved", 1),
        ("isr-shrank", 1),
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


def test_a_partition_that_is_well_again_counts_no_more(lost_broker, say, content_of):
    well = {"topic": "orders", "partition": 0, "replicas": [2], "isr": [2], "leader": 2, "adding": []}
    say.state("partitions", FOURTH, "update", well)
    lost_broker.commit(FOURTH)

    assert [(each.offline, each.lacking) for each in content_of(lost_broker).past.trouble] == [
        (0, 0),
        (0, 0),
        (1, 3),
        (0, 3),
    ]


def test_a_replica_that_is_just_being_added_is_not_missing(healthy, say, content_of):
    growing = {"topic": "orders", "partition": 1, "replicas": [1, 3], "isr": [1], "leader": 1}
    say.state("partitions", THIRD, "update", {**growing, "adding": [3]})
    healthy.commit(THIRD)
    say.state("partitions", FOURTH, "update", {**growing, "adding": []})
    healthy.commit(FOURTH)

    assert [each.lacking for each in content_of(healthy).past.trouble] == [0, 0, 0, 1]


def test_partitions_are_counted_in_their_own_order(healthy, say, content_of):
    say.findings(THIRD, {"subject": "orders-10"}, {"subject": "orders-9"}, {"subject": "orders-2"})
    healthy.commit(THIRD)

    (group,) = content_of(healthy).findings
    assert [each.subject for each in group] == ["orders-2", "orders-9", "orders-10"]


def test_of_many_findings_a_hundred_are_listed_and_all_are_counted(healthy, say, content_of):
    say.findings(THIRD, *[{"subject": f"orders-{number}"} for number in range(130)])
    healthy.commit(THIRD)

    (group,) = content_of(healthy).findings
    assert (len(group), group[0].alike) == (100, 130)


def test_members_come_with_how_far_they_are(stopped_observer, content_of):
    content = content_of(stopped_observer)

    assert [(each.node_id, each.role, each.leads, each.lag) for each in content.members] == [
        (3000, "voter", True, 0),
        (1, "observer", False, 0),
        (2, "observer", False, 800),
    ]
    assert [each.lag for each in content.past.progress if each.node_id == 2] == [0, 0, 400, 800]
