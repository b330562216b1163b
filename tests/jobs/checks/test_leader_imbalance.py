import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

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
            "electable_since": "2026-11-21T14:00:00.000Z",
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


def _open(since: datetime, electable_since: datetime | None) -> dict[str, Any]:
    """The finding of the snapshot before."""
    electable = electable_since and electable_since.isoformat()
    return {
        "check_id": "leader-imbalance",
        "subject": "broker 1",
        "status": "open",
        "first_seen_at": since,
        "evidence": json.dumps({"electable_count": 4 if electable else 0, "electable_since": electable}),
    }


def _automatic(value: str) -> dict[str, Any]:
    return {"broker_id": 1, "name": "auto.leader.rebalance.enable", "value": value}


@pytest.fixture
def severity(now: Any, before: Any, verdicts: Any) -> Any:
    """Of broker 1, whose partitions broker 9 leads, by the value of the setting and the finding of the snapshot before."""

    def of(is_automatic: str, *earlier: dict[str, Any]) -> str:
        frames = now("partitions", *_led("a", 1, 9, 4)), now("brokers", {"broker_id": 1})
        settings = now("broker_settings", _automatic(is_automatic))
        told: str = verdicts(CHECK, *frames, before("findings", *earlier), settings)["broker 1"]["severity"]
        return told

    return of


def _ago(minutes: int) -> datetime:
    return READ_AT - timedelta(minutes=minutes)


def test_what_kafka_mends_by_itself_alarms_nobody_before_its_interval_is_over(severity: Any) -> None:
    assert severity("true") == "info"
    assert severity("true", _open(_ago(5), _ago(5))) == "info"
    assert severity("true", _open(_ago(7), _ago(7))) == "warning"
    assert severity("true", _open(_ago(7), _ago(7)) | {"status": "resolved"}) == "info"
    assert severity("false") == "warning"


def test_the_interval_begins_when_somebody_can_be_elected(severity: Any) -> None:
    assert severity("true", _open(_ago(60), None)) == "info", "the broker was down until now"
    assert severity("true", _open(_ago(60), _ago(5))) == "info"
    assert severity("true", _open(_ago(60), _ago(7))) == "warning"


def test_no_election_is_advised_while_one_would_lead_with_what_may_be_an_empty_disk(
    now: Any, verdicts: Any
) -> None:
    brokers = now("brokers", {"broker_id": 1}, {"broker_id": 9})
    settings = now("broker_settings", _automatic("false"))

    def remedy(isr: list[int]) -> str:
        alone = {"topic": "b", "partition": 0, "replicas": isr, "isr": isr, "leader": -1}
        partitions = now("partitions", *_led("a", 1, 9, 4), alone)
        told: str = verdicts(CHECK, partitions, brokers, settings)["broker 1"]["remedy"]
        return told

    assert remedy([9]).startswith("Run no preferred leader election")
    assert remedy([8]).startswith("Run a preferred leader election"), "nobody can be elected there: 8 is down"


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
