"""Asks for the configs of topics, of each broker and of all brokers."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

from kafka.errors import KafkaError, UnknownTopicOrPartitionError

from jobs.landing.landing import Landing
from jobs.sources.kafka.client import BROKER, BROKERS_AT_ONCE, TOPIC, KafkaClient, pages
from jobs.sources.kafka.config_rows import DEFAULT_ENTITY, Row, config_rows
from jobs.sources.kafka.gaps import explain, gap_on_error, raise_for
from jobs.sources.kafka.question import Question

TOPIC_CONFIGS = Question("configs of topics", "/configs/topic", "DESCRIBE_CONFIGS on all topics")
BROKER_CONFIGS = Question(
    "config of all brokers",
    f"/configs/broker/{DEFAULT_ENTITY}",
    "DESCRIBE_CONFIGS on the cluster",
    "only that broker can tell it, so see whether it is up and can be reached from here",
)
DOWN_BROKER_CONFIGS = Question(
    "configs of brokers that are down", "/configs/broker", "DESCRIBE on all topics"
)
"""Before Kafka 4.0 such brokers are known by the replicas they hold alone."""


def land_topic_configs(client: KafkaClient, landing: Landing, topics: list[str]) -> None:
    """Land the configs of topics; a topic that went in the meantime has none. Where all are refused that is one gap."""
    refused: dict[str, KafkaError] = {}
    with gap_on_error(landing, TOPIC_CONFIGS):
        for page in pages(topics):
            for result in client.configs(TOPIC, page):
                try:
                    landing.rows("admin_configs", _rows_of("topic", result))
                except KafkaError as error:
                    refused[result["resource_name"]] = error
        if refused and len(refused) == len(topics):
            raise next(iter(refused.values()))
        for name, refusal in refused.items():
            question = replace(TOPIC_CONFIGS, what=f"config of topic {name}")
            landing.gap(f"{question.scope}/{name}", *explain(refusal, question))


def land_broker_configs(client: KafkaClient, landing: Landing, broker_ids: set[int]) -> None:
    """Land the config of all brokers and each one's own. One that is down still has a config that is not seen."""
    with gap_on_error(landing, BROKER_CONFIGS):
        landing.rows("admin_configs", broker_config(client, None))
    with ThreadPoolExecutor(BROKERS_AT_ONCE) as pool:
        asked = {broker_id: pool.submit(broker_config, client, broker_id) for broker_id in sorted(broker_ids)}
        for broker_id, answer in asked.items():
            with gap_on_error(landing, broker_question(broker_id)):
                landing.rows("admin_configs", answer.result())


def broker_question(broker_id: int | None) -> Question:
    """The question for the config of that broker, or of all."""
    if broker_id is None:
        return BROKER_CONFIGS
    what, scope = f"config of broker {broker_id}", f"/configs/broker/{broker_id}"
    return replace(BROKER_CONFIGS, what=what, scope=scope)


def broker_config(client: KafkaClient, broker_id: int | None) -> list[Row]:
    """The config of that broker, or of all. Raises KafkaError."""
    name = "" if broker_id is None else str(broker_id)
    results = client.configs(BROKER, [name], broker_id)
    return [row for result in results for row in _rows_of("broker", result)]


def _rows_of(scope: str, result: dict[str, Any]) -> list[Row]:
    try:
        raise_for(result)
    except UnknownTopicOrPartitionError:
        return []
    return list(config_rows(scope, result))
