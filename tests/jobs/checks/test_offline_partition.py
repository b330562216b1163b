from typing import Any

from jobs.checks.offline_partition import CHECK


def test_a_partition_without_a_leader_is_offline_unless_its_topic_is_being_deleted(
    now: Any, judged: Any
) -> None:
    partitions = now(
        "partitions",
        {"topic": "audit", "partition": 1, "leader": -1, "isr": [2], "replicas": [2]},
        {
            "topic": "elr",
            "partition": 0,
            "leader": -1,
            "isr": [],
            "eligible_leader_replicas": [2],
            "last_known_elr": [],
            "replicas": [2],
        },
        {"topic": "orders", "partition": 0, "leader": 1, "isr": [1], "replicas": [1, 2]},
        {"topic": "fresh", "partition": 0, "leader": None, "isr": None, "replicas": [1]},
        {"topic": "going", "partition": 0, "leader": -1, "isr": [1], "replicas": [1]},
        {"topic": "hidden", "partition": 0, "leader": -1, "isr": [1], "replicas": [1], "is_current": False},
        {"topic": "no-state", "partition": 0, "replicas": [1], "problem": "the state names no leader"},
        {"topic": "no-assignment", "partition": 0, "leader": -1, "isr": [2], "problem": "no partitions"},
    )
    topics = now(
        "topics",
        {"topic": "audit"},
        {"topic": "elr"},
        {"topic": "going", "deletion_pending": True},
        {"topic": "hidden"},
    )
    brokers = now("brokers", {"broker_id": 1}, {"broker_id": 2, "fenced": True}, {"broker_id": 3})
    evidence = {"why": "no leader", "leader": -1, "replicas": [2], "replicas_without_broker": [2]}
    assert judged(CHECK, partitions, topics, brokers) == {
        "audit-1": evidence | {"isr": [2]},
        "elr-0": evidence | {"isr": [], "eligible_leader_replicas": [2], "last_known_elr": []},
        "hidden-0": "unknown",
        "no-state-0": "unknown",
        "no-assignment-0": {"why": "no leader", "leader": -1, "isr": [2]},
    }


def test_a_leader_that_is_no_living_broker_leads_nobody_where_zookeeper_says_so(
    now: Any, judged: Any, verdicts: Any
) -> None:
    dead = {"partition": 0, "leader": 2, "isr": [2], "replicas": [1, 2]}
    partitions = now(
        "partitions",
        dead | {"topic": "dead", "partition_epoch": 4},
        dead | {"topic": "others-live", "partition_epoch": 4, "isr": [2, 1]},
        dead | {"topic": "over-the-api"},
        dead | {"topic": "lives", "partition_epoch": 4, "leader": 1},
    )
    brokers = now("brokers", {"broker_id": 1})
    found = judged(CHECK, partitions, brokers)
    assert {subject: evidence["why"] for subject, evidence in found.items()} == {
        "dead-0": "dead leader",
        "others-live-0": "dead leader",
    }
    remedies = {subject: row["remedy"] for subject, row in verdicts(CHECK, partitions, brokers).items()}
    assert remedies["dead-0"] == CHECK.remedy
    assert "the controller has not elected another" in remedies["others-live-0"]


def test_an_election_that_is_under_way_is_no_finding(now: Any, changes: Any, judged: Any) -> None:
    """As ZooKeeper shows it for a moment after a broker died (seen on 3.9.1)."""
    row = {"partition": 0, "replicas": [2, 3, 1], "partition_epoch": 4}
    partitions = now(
        "partitions",
        row | {"topic": "written", "leader": -1, "isr": [3, 1]},
        row | {"topic": "not-yet", "leader": 2, "isr": [2, 3, 1]},
        row | {"topic": "nobody-left", "leader": -1, "isr": [2]},
    )
    brokers = now("brokers", {"broker_id": 1}, {"broker_id": 3})
    found = judged(CHECK, partitions, brokers, changes("brokers", {"broker_id": 2, "op": "delete"}))
    assert found["written-0"] == found["not-yet-0"] == "unknown"
    assert found["nobody-left-0"]["why"] == "no leader"
    assert judged(CHECK, partitions, brokers)["written-0"]["why"] == "no leader"


def test_a_topic_born_on_dead_brokers_has_no_state_and_is_offline_all_the_same(
    now: Any, verdicts: Any
) -> None:
    partitions = now(
        "partitions",
        {"topic": "born-dead", "partition": 0, "replicas": [2, 3]},
        {"topic": "just-made", "partition": 0, "replicas": [2, 1]},
    )
    found = verdicts(CHECK, partitions, now("brokers", {"broker_id": 1}))
    assert list(found) == ["born-dead-0"]
    assert found["born-dead-0"]["evidence"]["why"] == "never elected"
    assert "has never held a record" in found["born-dead-0"]["remedy"]
    assert (found["born-dead-0"]["cause_check_id"], found["born-dead-0"]["cause_subject"]) == (
        "broker-down",
        "broker 2",
    )


def test_a_broker_of_the_isr_that_lives_is_not_to_be_restarted_blindly(now: Any, verdicts: Any) -> None:
    """What a failed log dir looks like: the broker is registered and cannot lead."""
    partitions = now("partitions", {"topic": "a", "partition": 0, "leader": -1, "isr": [3], "replicas": [3]})
    found = verdicts(CHECK, partitions, now("brokers", {"broker_id": 3}))["a-0"]
    assert found["remedy"].startswith("A broker of `isr` is up and does not lead.")
    assert "Do not restart it before you know" in found["remedy"]
    assert found["cause_check_id"] != "broker-down"


def test_the_cause_is_the_first_broker_that_may_lead_where_all_of_them_are_down(
    now: Any, verdicts: Any
) -> None:
    row = {"partition": 0, "leader": -1, "replicas": [1, 2, 3]}
    partitions = now(
        "partitions",
        row | {"topic": "isr", "isr": [3, 2]},
        row | {"topic": "elr", "isr": [], "eligible_leader_replicas": [2], "last_known_elr": [1]},
        row | {"topic": "last", "isr": [], "eligible_leader_replicas": [], "last_known_elr": [3]},
    )
    found = verdicts(CHECK, partitions, now("brokers", {"broker_id": 1}))
    causes = {subject: (row["cause_check_id"], row["cause_subject"]) for subject, row in found.items()}
    assert causes == {
        "isr-0": ("broker-down", "broker 3"),
        "elr-0": ("broker-down", "broker 2"),
        "last-0": ("broker-down", "broker 3"),
    }


def test_nobody_is_told_to_start_a_broker_on_an_empty_disk() -> None:
    """Kafka elects it all the same, and the other replicas cut their logs to nothing (seen on 3.6.2 and 3.9.1)."""
    assert "only with its original disks" in CHECK.remedy
    assert "Do **not** start its id on an empty disk" in CHECK.runbook


def test_the_cause_is_the_failed_log_dir_of_the_last_broker_that_may_lead(now: Any, verdicts: Any) -> None:
    offline = {"topic": "a", "partition": 0, "leader": -1, "isr": [2], "replicas": [2]}
    brokers = now("brokers", {"broker_id": 1}, {"broker_id": 2})
    failed = now("admin_log_dirs", {"broker_id": 2, "path": "/d1", "error": "KAFKA_STORAGE_ERROR"})
    (found,) = verdicts(CHECK, now("partitions", offline), brokers, failed).values()
    assert (found["cause_check_id"], found["cause_subject"]) == ("failed-log-dir", "broker 2")
