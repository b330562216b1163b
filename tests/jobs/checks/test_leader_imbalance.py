from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from jobs.checks.leader_imbalance import CHECK

READ_AT = datetime(2026, 11, 21, 14, 0, tzinfo=UTC)


def _led(topic: str, preferred: int, leader: int | None, count: int, **more: Any) -> list[dict[str, Any]]:
    return [
        {
            "topic": topic,
            "partition": number,
            "replicas": [preferred, 9],
            "isr": [preferred, 9],
            "leader": leader,
            **more,
        }
        for number in range(count)
    ]


def test_more_than_ten_percent_led_elsewhere_is_too_much(now: Any, judged: Any) -> None:
    partitions = now(
        "partitions",
        *_led("a", 1, 1, 9),
        *_led("b", 1, 9, 1),  # exactly 10 % of broker 1
        *_led("c", 2, 2, 8),
        *_led("d", 2, 9, 1),  # 1 of 9
        *_led("f", 4, 4, 1),
        *_led("g", 4, 9, 3, is_current=False),
        *_led("i", 5, None, 2),  # never elected, never counted as imbalanced
        *_led("j", 9, 9, 1),
        *_led("going", 5, 9, 5),
    )
    topics = now("topics", {"topic": "a"}, {"topic": "going", "deletion_pending": True})
    brokers = now("brokers", *[{"broker_id": number, "fenced": False} for number in (1, 2, 4, 5, 9)])
    assert judged(CHECK, partitions, topics, brokers) == {
        "broker 1": "fine",
        "broker 2": {
            "preferred_count": 9,
            "led_elsewhere_count": 1,
            "electable_count": 1,
            "led_by": ["broker 9 leads 1 of them and 6 in all"],
            "allowed_percentage": 10,
        },
        "broker 4": "unknown",
        "broker 5": "fine",
        "broker 9": "fine",
    }


def test_a_partition_without_a_leader_counts_as_kafka_counts_it(now: Any, judged: Any) -> None:
    partitions = now("partitions", *_led("a", 1, 1, 8), *_led("b", 1, -1, 1))
    found = judged(CHECK, partitions, now("brokers", {"broker_id": 1}))["broker 1"]
    assert (found["led_elsewhere_count"], found["electable_count"]) == (1, 0)


def test_the_percentage_is_the_one_that_brokers_go_by(now: Any, judged: Any) -> None:
    key = "leader.imbalance.per.broker.percentage"
    settings = now("broker_settings", {"broker_id": 1, "name": key, "value": "50"})
    partitions = now("partitions", *_led("a", 1, 1, 1), *_led("b", 1, 9, 1))
    assert judged(CHECK, partitions, now("brokers", {"broker_id": 1}), settings) == {"broker 1": "fine"}


def test_a_percentage_of_varve_yaml_stands_above_that_of_the_brokers(now: Any, judged: Any) -> None:
    key = "leader.imbalance.per.broker.percentage"
    settings = now("broker_settings", {"broker_id": 1, "name": key, "value": "50"})
    frames = (
        now("partitions", *_led("a", 1, 1, 1), *_led("b", 1, 9, 1)),
        now("brokers", {"broker_id": 1}),
        settings,
    )
    set_to_20 = replace(CHECK, values={**CHECK.values, "allowed_percentage": 20})
    assert judged(set_to_20, *frames)["broker 1"]["allowed_percentage"] == 20
    assert CHECK.thresholds == {"allowed_percentage": None}


def _automatic(value: str) -> dict[str, Any]:
    return {"broker_id": 1, "name": "auto.leader.rebalance.enable", "value": value}


def test_what_kafka_mends_by_itself_alarms_nobody_before_its_interval_is_over(
    now: Any, before: Any, verdicts: Any
) -> None:
    frames = now("partitions", *_led("a", 1, 9, 4)), now("brokers", {"broker_id": 1})

    def severity(value: str, minutes_open: int | None) -> str:
        since = {"status": "open", "first_seen_at": READ_AT - timedelta(minutes=minutes_open or 0)}
        found = {"check_id": "leader-imbalance", "subject": "broker 1"} | since
        earlier = before("findings", *([found] if minutes_open else []))
        told: str = verdicts(CHECK, *frames, earlier, now("broker_settings", _automatic(value)))["broker 1"][
            "severity"
        ]
        return told

    assert severity("true", None) == "info"
    assert severity("true", 5) == "info"
    assert severity("true", 7) == "warning"
    assert severity("false", None) == "warning"


def test_no_election_is_advised_that_cannot_work(now: Any, verdicts: Any) -> None:
    partitions = now("partitions", *_led("a", 1, 9, 4, isr=[9]), *_led("b", 2, 9, 4, isr=[9]))
    brokers, settings = now("brokers", {"broker_id": 1}), now("broker_settings", _automatic("false"))
    found = verdicts(CHECK, partitions, brokers, settings)
    assert {row["severity"] for row in found.values()} == {"info"}
    assert {row["remedy"].startswith("No election helps now") for row in found.values()} == {True}
    causes = {subject: (row["cause_check_id"], row["cause_subject"]) for subject, row in found.items()}
    assert causes == {"broker 1": (None, None), "broker 2": ("broker-down", "broker 2")}


def test_who_leads_a_partition_with_a_malformed_state_is_unknown_to_its_preferred_leader_alone(
    now: Any, judged: Any
) -> None:
    partitions = now(
        "partitions",
        *_led("a", 1, 1, 1),
        *_led("b", 1, None, 1, problem="the state names no leader"),
        *_led("c", 2, 2, 1),
    )
    brokers, topics = now("brokers", {"broker_id": 1}, {"broker_id": 2}), now("topics")
    assert judged(CHECK, partitions, topics, brokers) == {
        "broker 1": "unknown",
        "broker 2": "fine",
    }


def test_whom_the_partitions_of_a_malformed_topic_prefer_is_unknown_to_every_broker(
    now: Any, judged: Any
) -> None:
    malformed = {"topic": "b", "partition": 0, "leader": 1, "isr": [1], "problem": "no partitions"}
    partitions = now("partitions", *_led("a", 1, 1, 1), malformed)
    brokers, topics = now("brokers", {"broker_id": 1}, {"broker_id": 2}), now("topics")
    assert judged(CHECK, partitions, topics, brokers) == {
        "broker 1": "unknown",
        "broker 2": "unknown",
    }


def test_a_broker_that_no_partition_prefers_any_more_is_fine(now: Any, judged: Any) -> None:
    brokers = now("brokers", {"broker_id": 1})
    assert judged(CHECK, brokers) == {"broker 1": "fine"}
