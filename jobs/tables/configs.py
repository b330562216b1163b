"""Configs: what somebody set, from the config znodes or from DescribeConfigs."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from jobs.tables.parts.config_znode import FINGERPRINT, config_rows
from jobs.tables.parts.znode import last_of_each_key

_PATH = "/config/(topic|broker)s/([^/]+)"


def configs(znodes: DataFrame, admin_configs: DataFrame) -> DataFrame:
    """One row a key; see `kafka.zk.ConfigEntityZNode`. A malformed znode is one row with an empty name."""
    return _from_zookeeper(znodes).unionByName(_from_admin(admin_configs))


def _from_zookeeper(znodes: DataFrame) -> DataFrame:
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


def _from_admin(admin_configs: DataFrame) -> DataFrame:
    return admin_configs.select(
        "scope",
        "entity",
        "name",
        "value",
        F.lit(None).cast("string").alias("fingerprint"),
        F.lit(None).cast("string").alias("problem"),
    )
