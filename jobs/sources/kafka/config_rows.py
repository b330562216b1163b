"""Turns DescribeConfigs results into rows of `admin_configs`: what somebody set, and never a secret."""

from collections.abc import Iterator
from typing import Any

Row = tuple[Any, ...]

DEFAULT_ENTITY = "<default>"
"""How Kafka writes "every broker"; in a request it is the empty name."""

_SOURCES = {
    ("topic", 1): "DYNAMIC_TOPIC_CONFIG",
    ("broker", 2): "DYNAMIC_BROKER_CONFIG",
    (DEFAULT_ENTITY, 3): "DYNAMIC_DEFAULT_BROKER_CONFIG",
}
_SECRET_TYPES = (0, 9)
"""`ConfigType` UNKNOWN and PASSWORD: Kafka too takes a key it does not know for a secret."""


def config_rows(scope: str, result: dict[str, Any]) -> Iterator[Row]:
    """Rows of a topic, a broker, or all brokers: only what was set on that very entity.

    What a broker has from its properties file, from all brokers' config or by default is left out, so that a
    cluster says the same through ZooKeeper and through the API.
    """
    entity = result["resource_name"] or DEFAULT_ENTITY
    origin = DEFAULT_ENTITY if entity == DEFAULT_ENTITY else scope
    for config in result["configs"]:
        source = _SOURCES.get((origin, config.get("config_source")))
        if source:
            is_sensitive = config["is_sensitive"] or config.get("config_type") in _SECRET_TYPES
            value = None if is_sensitive else config["value"]
            yield scope, entity, config["name"], value, is_sensitive, source
