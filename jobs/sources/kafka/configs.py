"""Lands the configs that were set on topics, on single brokers and on all brokers, without secrets, and what brokers go by."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

from kafka.errors import KafkaError, UnknownTopicOrPartitionError
from kafka.protocol.admin import DescribeConfigsRequest

from jobs.landing.landing import Landing
from jobs.sources.kafka.broker_settings import setting_rows
from jobs.sources.kafka.connection.client import BROKERS_AT_ONCE, KafkaClient, Reply, pages
from jobs.sources.kafka.connection.failures import raise_for
from jobs.sources.kafka.gaps import Question, explain, gap_on_error

TOPIC, BROKER = 2, 4
"""`org.apache.kafka.common.config.ConfigResource.Type`."""
DEFAULT_ENTITY = "<default>"
"""Kafka's word for "every broker"; in a request it is the empty name."""

TOPIC_CONFIGS = Question("configs of topics", "/configs/topic", "DESCRIBE_CONFIGS on all topics")
BROKER_CONFIGS = Question(
    "config of all brokers",
    f"/configs/broker/{DEFAULT_ENTITY}",
    "DESCRIBE_CONFIGS on the cluster",
)
DOWN_BROKER_CONFIGS = Question(
    "configs of brokers that are down", "/configs/broker", "DESCRIBE on all topics"
)
"""Before Kafka 4.0 such a broker is known only because it has replicas."""

_SOURCES = {
    ("topic", 1): "DYNAMIC_TOPIC_CONFIG",
    ("broker", 2): "DYNAMIC_BROKER_CONFIG",
    (DEFAULT_ENTITY, 3): "DYNAMIC_DEFAULT_BROKER_CONFIG",
}
"""`DescribeConfigsResponse.ConfigSource` of what was set on the entity itself."""
_SECRET_TYPES = (0, 9)
"""`ConfigType` UNKNOWN and PASSWORD. Kafka too takes a key that it does not know for a secret."""

Row = tuple[Any, ...]


def land_topic_configs(client: KafkaClient, landing: Landing, topics: list[str]) -> None:
    """Land the configs of these topics. A topic that was deleted meanwhile has none. If all are refused it is one gap."""
    refused: dict[str, KafkaError] = {}
    with gap_on_error(landing, TOPIC_CONFIGS):
        for page in pages(topics):
            for result in describe_configs(client, TOPIC, page):
                try:
                    landing.rows("admin_configs", _topic_rows(result))
                except KafkaError as error:
                    refused[result["resource_name"]] = error
        if refused and len(refused) == len(topics):
            raise next(iter(refused.values()))
        for name, refusal in refused.items():
            question = replace(TOPIC_CONFIGS, what=f"config of topic {name}")
            landing.gap(f"{question.scope}/{name}", *explain(refusal, question))


def land_broker_configs(client: KafkaClient, landing: Landing, broker_ids: set[int]) -> None:
    """Land the config of all brokers and of each broker. Only a broker itself returns its own: one that is down is a gap."""
    with gap_on_error(landing, BROKER_CONFIGS):
        landing.rows("admin_configs", config_rows("broker", broker_config(client, None)))
    with ThreadPoolExecutor(BROKERS_AT_ONCE) as pool:
        asked = {broker_id: pool.submit(broker_config, client, broker_id) for broker_id in sorted(broker_ids)}
        for broker_id, answer in asked.items():
            with gap_on_error(landing, broker_question(broker_id)):
                landing.rows("admin_configs", config_rows("broker", answer.result()))
                landing.rows("broker_settings", setting_rows(answer.result()))


def broker_question(broker_id: int | None) -> Question:
    """The question for the config of one broker; None stands for the config of all brokers."""
    if broker_id is None:
        return BROKER_CONFIGS
    return replace(
        BROKER_CONFIGS,
        what=f"config of broker {broker_id}",
        scope=f"/configs/broker/{broker_id}",
        remedy="only that broker knows it, so see whether it is up and can be reached from here",
    )


def broker_config(client: KafkaClient, broker_id: int | None) -> Reply:
    """The DescribeConfigs result of one broker; None stands for the config of all brokers. Raises KafkaError."""
    name = "" if broker_id is None else str(broker_id)
    (result,) = describe_configs(client, BROKER, [name], broker_id)
    raise_for(result)
    return result


def describe_configs(
    client: KafkaClient, resource_type: int, names: Sequence[str], broker_id: int | None = None
) -> list[Reply]:
    """DescribeConfigs of these resources, asked of that broker or else of any. Raises KafkaError."""
    resources = [(resource_type, name, None) for name in names]
    request = DescribeConfigsRequest(resources=resources, include_synonyms=False)
    reply = client.servers.ask(request) if broker_id is None else client.ask_broker(broker_id, request)
    return [result.to_dict() for result in reply.results]


def config_rows(scope: str, result: Reply) -> Iterator[Row]:
    """Rows of `admin_configs` from one DescribeConfigs result: only what was set on that very entity.

    What a broker has from its properties file, from the config of all brokers or by default is left out, so that a
    cluster has the same rows through ZooKeeper and through the API.
    """
    entity = result["resource_name"] or DEFAULT_ENTITY
    origin = DEFAULT_ENTITY if entity == DEFAULT_ENTITY else scope
    for config in result["configs"]:
        source = _SOURCES.get((origin, config.get("config_source")))
        if source:
            is_sensitive = config["is_sensitive"] or config.get("config_type") in _SECRET_TYPES
            value = None if is_sensitive else config["value"]
            yield scope, entity, config["name"], value, is_sensitive, source


def _topic_rows(result: Reply) -> list[Row]:
    try:
        raise_for(result)
    except UnknownTopicOrPartitionError:
        return []
    return list(config_rows("topic", result))
