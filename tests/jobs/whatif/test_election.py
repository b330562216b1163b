"""Who is elected when brokers go away: Kafka's own order, on states that a controller would find."""

from typing import Any

from jobs.whatif.absence import absence

MIN_ISR = "min.insync.replicas"
UNCLEAN = "unclean.leader.election.enable"
ALONE = {"orders-0": {"replicas": [3, 2, 1], "leader": 3, "isr": [3]}}


def fate(reader: Any, *brokers: int) -> tuple[Any, ...]:
    """Outcome, leader, election and ISR of the only partition that is touched."""
    (found,) = absence(reader, brokers).fates
    return found.outcome, found.leader_after, found.election, found.isr_after


def test_the_first_replica_of_the_assignment_that_is_in_the_isr_is_elected(cluster: Any) -> None:
    reader = cluster({"orders-0": {"replicas": [3, 2, 1], "leader": 3, "isr": [1, 2, 3]}})
    assert fate(reader, 3) == ("leader-moves", 2, "clean", [1, 2])


def test_a_replica_outside_the_isr_is_passed_over(cluster: Any) -> None:
    reader = cluster({"orders-0": {"replicas": [3, 2, 1], "leader": 3, "isr": [3, 1]}})
    assert fate(reader, 3) == ("at-min-isr", 1, "clean", [1])


def test_a_replica_whose_broker_is_not_there_is_passed_over(cluster: Any) -> None:
    reader = cluster({"orders-0": {"replicas": [3, 2, 1], "leader": 3, "isr": [3, 2, 1]}}, brokers=(1, 3))
    assert fate(reader, 3) == ("at-min-isr", 1, "clean", [1])


def test_a_replica_whose_broker_is_fenced_is_passed_over(cluster: Any) -> None:
    reader = cluster({"orders-0": {"replicas": [3, 2, 1], "leader": 3, "isr": [3, 2, 1]}}, fenced=(2,))
    assert fate(reader, 3) == ("at-min-isr", 1, "clean", [1])


def test_a_replica_on_a_failed_log_dir_is_passed_over(cluster: Any) -> None:
    partition = {"replicas": [3, 2, 1], "leader": 3, "isr": [3, 2, 1]}
    told = {"topic": "orders", "partition": 0, "offline_replicas": [2], **partition}
    reader = cluster({"orders-0": partition}, admin_partitions=[told])
    assert fate(reader, 3) == ("at-min-isr", 1, "clean", [1])


def test_a_leader_that_stays_goes_on_leading(cluster: Any) -> None:
    reader = cluster({"orders-0": {"replicas": [3, 2, 1], "leader": 1, "isr": [1, 2, 3]}})
    assert fate(reader, 3) == ("isr-shrinks", 1, None, [1, 2])


def test_a_replica_outside_the_isr_is_not_missed(cluster: Any) -> None:
    reader = cluster({"orders-0": {"replicas": [3, 2, 1], "leader": 1, "isr": [1, 2]}})
    assert fate(reader, 3) == ("unchanged", 1, None, [1, 2])


def test_without_the_last_replica_of_the_isr_a_partition_is_offline_and_the_isr_stays(cluster: Any) -> None:
    assert fate(cluster(ALONE), 3) == ("offline", -1, "none", [3])


def test_where_the_topic_allows_it_the_first_living_replica_is_elected_unclean(cluster: Any) -> None:
    reader = cluster(ALONE, brokers=(1, 3), configs={("topic", "orders", UNCLEAN): "true"})
    assert fate(reader, 3) == ("unclean-election", 1, "unclean", [1])


def test_the_topic_forbids_what_the_brokers_allow(cluster: Any) -> None:
    configs = {("broker", "<default>", UNCLEAN): "true", ("topic", "orders", UNCLEAN): "false"}
    assert fate(cluster(ALONE, configs=configs), 3) == ("offline", -1, "none", [3])


def test_what_the_brokers_allow_holds_for_topics_that_do_not_say(cluster: Any) -> None:
    reader = cluster(ALONE, configs={("broker", "<default>", UNCLEAN): "true"})
    assert fate(reader, 3) == ("unclean-election", 2, "unclean", [2])


def test_a_partition_whose_only_replica_goes_is_offline_also_where_unclean_elections_are_allowed(
    cluster: Any,
) -> None:
    only = {"orders-0": {"replicas": [3], "leader": 3, "isr": [3]}}
    assert fate(cluster(only, configs={("topic", "orders", UNCLEAN): "true"}), 3)[:2] == ("offline", -1)


def test_an_eligible_replica_is_elected_only_when_the_isr_is_empty(cluster: Any) -> None:
    whole = {"replicas": [3, 2, 1], "leader": 3, "eligible_leader_replicas": [2]}
    reader = cluster({"orders-0": {**whole, "isr": [3]}, "audit-0": {**whole, "isr": [3, 1]}})
    audit, orders = sorted(absence(reader, [3]).fates)
    assert (orders.leader_after, orders.election, orders.isr_after) == (2, "eligible", [2])
    assert (audit.leader_after, audit.election, audit.isr_after) == (1, "clean", [1])


def test_brokers_that_go_together_do_not_stand_in_for_each_other(cluster: Any) -> None:
    reader = cluster({"orders-0": {"replicas": [3, 2, 1], "leader": 3, "isr": [3, 2, 1]}})
    assert fate(reader, 3, 2) == ("at-min-isr", 1, "clean", [1])


def test_which_of_several_brokers_keeps_the_isr_when_all_go_is_not_known(cluster: Any) -> None:
    reader = cluster({"orders-0": {"replicas": [3, 2], "leader": 3, "isr": [3, 2]}})
    assert fate(reader, 3, 2) == ("offline", -1, "none", None)


def test_fewer_in_sync_replicas_than_min_isr_is_told_apart_from_just_as_many(cluster: Any) -> None:
    partition = {"replicas": [1, 2, 3], "leader": 1}
    reader = cluster(
        {
            "at-0": {**partition, "isr": [1, 2, 3]},
            "under-0": {**partition, "isr": [1, 3]},
            "further-0": {**partition, "isr": [1, 3]},
        },
        configs={
            ("broker", "<default>", MIN_ISR): "2",
            ("topic", "further", MIN_ISR): "3",
        },
    )
    found = {each.topic: (each.outcome, each.min_isr) for each in absence(reader, [3]).fates}
    assert found == {
        "at": ("at-min-isr", 2),
        "under": ("under-min-isr", 2),
        "further": ("further-under-min-isr", 3),
    }


def test_min_isr_is_never_above_the_number_of_replicas(cluster: Any) -> None:
    reader = cluster(
        {"orders-0": {"replicas": [1, 2], "leader": 1, "isr": [1, 2]}},
        configs={("topic", "orders", MIN_ISR): "3"},
    )
    (found,) = absence(reader, [2]).fates
    assert (found.outcome, found.min_isr, found.is_min_isr_assumed) == ("under-min-isr", 2, False)


def test_a_min_isr_that_nobody_sets_is_assumed_to_be_1_and_that_is_said(cluster: Any) -> None:
    reader = cluster({"orders-0": {"replicas": [1, 2], "leader": 1, "isr": [1, 2]}})
    found = absence(reader, [2])
    assert [(each.outcome, each.min_isr, each.is_min_isr_assumed) for each in found.fates] == [
        ("at-min-isr", 1, True)
    ]
    assert found.notes == (
        "min.insync.replicas of orders is assumed to be 1, Kafka's default: no config of the topic or of a broker says it",
    )


def test_what_brokers_go_by_counts_before_what_was_set_and_the_strictest_of_them(cluster: Any) -> None:
    settings = [{"broker_id": each, "name": MIN_ISR, "value": str(each)} for each in (1, 2)]
    partition = {"replicas": [1, 2, 3], "leader": 1, "isr": [1, 2, 3]}
    configs = {("broker", "<default>", MIN_ISR): "3", ("topic", "audit", MIN_ISR): "1"}
    reader = cluster({"orders-0": partition, "audit-0": partition}, configs=configs, broker_settings=settings)
    found = {each.topic: (each.min_isr, each.is_min_isr_assumed) for each in absence(reader, [3]).fates}
    assert found == {"orders": (2, False), "audit": (1, False)}


def test_an_unclean_election_that_a_broker_goes_by_is_foreseen(cluster: Any) -> None:
    settings = [{"broker_id": 1, "name": UNCLEAN, "value": "true"}]
    assert fate(cluster(ALONE, broker_settings=settings), 3) == ("unclean-election", 2, "unclean", [2])


def test_of_a_malformed_or_unseen_partition_nothing_is_known(cluster: Any) -> None:
    whole = {"replicas": [1, 2], "leader": 1, "isr": [1, 2]}
    reader = cluster(
        {"bad-0": {**whole, "problem": "not JSON"}, "seen-0": whole, "unseen-0": whole},
        gaps=(("zookeeper", "/brokers/topics/unseen", "unreadable", "cut off"),),
    )
    assert [(each.topic, each.outcome) for each in absence(reader, [2]).fates] == [
        ("bad", "unknown"),
        ("unseen", "unknown"),
        ("seen", "at-min-isr"),
    ]


def test_a_partition_that_was_never_elected_stays_offline(cluster: Any) -> None:
    reader = cluster({"orders-0": {"replicas": [3, 9]}})
    assert fate(reader, 3)[:2] == ("stays-offline", -1)


def test_a_topic_that_is_being_deleted_is_left_out(cluster: Any) -> None:
    reader = cluster(ALONE, topics=[{"topic": "orders", "deletion_pending": True}])
    assert absence(reader, [3]).fates == []


def test_it_is_said_that_a_broker_is_away_already(cluster: Any) -> None:
    reader = cluster({}, brokers=(1, 2), fenced=(2,))
    assert absence(reader, [2, 9]).notes == (
        "broker 2 is fenced: it is away already",
        "broker 9 is not registered: it is away already",
    )
