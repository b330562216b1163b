from typing import Any

from jobs.checks.leader_imbalance import CHECK


def _led(topic: str, preferred: int, leader: int | None, count: int, **more: Any) -> list[dict[str, Any]]:
    return [
        {"topic": topic, "partition": number, "replicas": [preferred, 9], "leader": leader, **more}
        for number in range(count)
    ]


def test_more_than_ten_percent_led_elsewhere_is_too_much(now: Any, judged: Any) -> None:
    partitions = now(
        "partitions",
        *_led("a", 1, 1, 9),
        *_led("b", 1, 9, 1),  # exactly 10 % of broker 1
        *_led("c", 2, 2, 8),
        *_led("d", 2, 9, 1),  # 1 of 9
        *_led("e", 3, 9, 5),  # not registered
        *_led("k", 6, 9, 5),  # fenced
        *_led("f", 4, 4, 1),
        *_led("g", 4, 9, 3, is_current=False),
        *_led("h", 5, -1, 3),  # offline, never counted as imbalanced
        *_led("i", 5, None, 2),
        *_led("going", 5, 9, 5),
    )
    topics = now("topics", {"topic": "a"}, {"topic": "going", "deletion_pending": True})
    live = [{"broker_id": number, "fenced": False} for number in (1, 2, 4, 5)]
    brokers = now("brokers", *live, {"broker_id": 6, "fenced": True})
    assert judged(CHECK, partitions, topics, brokers) == {
        "broker 1": "fine",
        "broker 2": {"preferred_count": 9, "led_elsewhere_count": 1, "allowed_percentage": 10},
        "broker 4": "unknown",
        "broker 5": "fine",
    }


def test_the_percentage_is_the_one_that_was_set(now: Any, judged: Any) -> None:
    key = "leader.imbalance.per.broker.percentage"
    configs = now("configs", {"scope": "broker", "entity": "<default>", "name": key, "value": "50"})
    partitions = now("partitions", *_led("a", 1, 1, 1), *_led("b", 1, 9, 1))
    brokers, topics = now("brokers", {"broker_id": 1}), now("topics", {"topic": "a"})
    assert judged(CHECK, partitions, topics, brokers, configs) == {"broker 1": "fine"}


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
