"""Configs: what somebody set, from the config znodes or from DescribeConfigs."""

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from jobs.tables.znode import last_of_each_key, no_object, parsed, znodes_at

_PATH = "/config/(topic|broker|user|client|ip)s/(.+)"
_FINGERPRINT = "^(hmac:[0-9a-f]{32}|present)$"


def configs(znodes: DataFrame, admin_configs: DataFrame) -> DataFrame:
    """One row a key; see `kafka.zk.ConfigEntityZNode`. A malformed znode is one row with an empty name."""
    return _from_zookeeper(znodes).unionByName(_from_admin(admin_configs))


def _from_zookeeper(znodes: DataFrame) -> DataFrame:
    documents = (
        znodes_at(znodes, _PATH, scope="string", entity="string")
        .where("data is not null")
        .withColumn("doc", parsed(F.col("data"), "config MAP<STRING, STRING>"))
        .withColumn("problem", _malformed())
    )
    every = documents.where("problem is null").select(
        "scope", "entity", "encoding", "problem", F.posexplode("doc.config").alias("place", "name", "text")
    )
    keys = last_of_each_key(every, "scope", "entity", "name")
    broken = documents.where("problem is not null").select(
        "scope",
        "entity",
        "encoding",
        "problem",
        F.lit("").alias("name"),
        F.lit(None).cast("string").alias("text"),
    )
    is_secret = (F.col("encoding") == "redacted") & F.col("text").rlike(_FINGERPRINT)
    return keys.unionByName(broken).select(
        "scope",
        "entity",
        "name",
        F.when(~is_secret, F.col("text")).alias("value"),
        F.when(is_secret, F.col("text")).alias("fingerprint"),
        "problem",
    )


def _malformed() -> Column:
    lacks_config = F.when(F.col("doc.config").isNull(), F.lit("the znode has no config object"))
    return F.coalesce(no_object(F.col("data")), lacks_config)


def _from_admin(admin_configs: DataFrame) -> DataFrame:
    return admin_configs.select(
        "scope",
        "entity",
        "name",
        "value",
        F.lit(None).cast("string").alias("fingerprint"),
        F.lit(None).cast("string").alias("problem"),
    )
