from typing import Any

from jobs.checks.unclean_election_possible import CHECK

KEY = "unclean.leader.election.enable"


def test_a_topic_or_a_broker_that_allows_it_is_told(now: Any, judged: Any) -> None:
    def of_topic(topic: str, value: str, **more: Any) -> dict[str, Any]:
        return {"scope": "topic", "entity": topic, "name": KEY, "value": value} | more

    configs = now(
        "configs",
        of_topic("metrics", "true"),
        of_topic("orders", "false"),
        of_topic("alone", "true"),
        of_topic("going", "true"),
        of_topic("hidden", "true", is_current=False),
        {"scope": "broker", "entity": "<default>", "name": KEY, "value": "true"},
    )
    topics = now(
        "topics",
        *[{"topic": topic, "replication_factor": 2} for topic in ("metrics", "orders", "hidden")],
        {"topic": "alone", "replication_factor": 1},
        {"topic": "going", "replication_factor": 2, "deletion_pending": True},
    )
    settings = now(
        "broker_settings",
        {"broker_id": 1, "name": KEY, "value": "true", "source": "DYNAMIC_DEFAULT_BROKER_CONFIG"},
        {"broker_id": 2, "name": KEY, "value": "false", "source": "DEFAULT_CONFIG"},
    )
    assert judged(CHECK, configs, topics, settings) == {
        "metrics": {"setting": KEY, "replication_factor": 2, "source": "the topic's own config"},
        "hidden": "unknown",
        "broker 1": {"setting": KEY, "source": "DYNAMIC_DEFAULT_BROKER_CONFIG"},
    }


def test_over_zookeeper_alone_what_was_set_dynamically_counts(now: Any, judged: Any) -> None:
    rows = [
        {"scope": "broker", "entity": entity, "name": KEY, "value": "true"} for entity in ("<default>", "3")
    ]
    assert set(judged(CHECK, now("configs", *rows))) == {"broker <default>", "broker 3"}
