"""Configs that were set: from the config znodes, or from DescribeConfigs."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from jobs.tables.parts.znode import FINGERPRINT, config_rows, last_of_each_key

_PATH = "/config/(topic|broker)s/([^/]+)"


def from_zookeeper(znodes: DataFrame) -> DataFrame:
    """One row a key; see `kafka.zk.ConfigEntityZNode`. A malformed znode is one row with an empty name."""
    every = config_rows(znodes, _PATH, scope="string", entity="string")
    keys = last_of_each_key(every, "scope", "entity", "name")
    is_secret = (F.col("encoding") == "redacted") & F.col("text").rlike(f"^{FINGERPRINT}$")
    return keys.select(
        "scope",
        "entity",
        "name",
        F.when(~is_secret, F.col("text")).alias("value"),
        F.when(is_secret, F.col("text")).alias("fingerprint"),
        "problem",
    )


def from_kafka(admin_configs: DataFrame) -> DataFrame:
    """One row a key."""
    return admin_configs.select("scope", "entity", "name", "value")
