"""The settings of brokers that decide how partitions fare, as they are in force: set, static or default."""

from collections.abc import Iterator
from typing import Any

from jobs.sources.kafka.connection.client import Reply

KEYS = frozenset(
    {
        "auto.leader.rebalance.enable",
        "default.replication.factor",
        "inter.broker.protocol.version",
        "leader.imbalance.check.interval.seconds",
        "leader.imbalance.per.broker.percentage",
        "min.insync.replicas",
        "replica.lag.time.max.ms",
        "unclean.leader.election.enable",
        "zookeeper.metadata.migration.enable",
    }
)

_ORIGINS = {
    2: "DYNAMIC_BROKER_CONFIG",
    3: "DYNAMIC_DEFAULT_BROKER_CONFIG",
    4: "STATIC_BROKER_CONFIG",
    5: "DEFAULT_CONFIG",
}
"""`DescribeConfigsResponse.ConfigSource`, as far as a broker's own configs have it."""


def setting_rows(result: Reply) -> Iterator[tuple[Any, ...]]:
    """Rows of `broker_settings` from what one broker answers to DescribeConfigs about itself.

    A broker leaves out keys that its version does not have, such as `inter.broker.protocol.version` from Kafka 4.0 on.
    """
    for config in result["configs"]:
        if config["name"] in KEYS:
            value = None if config["is_sensitive"] else config["value"]
            yield int(result["resource_name"]), config["name"], value, _ORIGINS.get(config["config_source"])
