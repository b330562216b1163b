"""SCRAM credentials: from what the collector left of them in the users' znodes, or from the Admin API."""

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from jobs.tables.parts.spelling import desanitized
from jobs.tables.parts.znode import FINGERPRINT, config_rows, last_of_each_key

_LEFT = f"^{FINGERPRINT}(?:,iterations=([0-9]+))?$"


def from_zookeeper(znodes: DataFrame) -> DataFrame:
    """One row a user and mechanism (KIP-554). A malformed user's znode is one row with an empty mechanism."""
    keys = config_rows(znodes, "/config/users/([^/]+)", user="string")
    every = keys.where("name = '' or name in ('SCRAM-SHA-256', 'SCRAM-SHA-512')").select(
        desanitized(F.col("user")).alias("user"),
        F.col("name").alias("mechanism"),
        F.struct("znode", "place").alias("place"),
        _left(2).try_cast("int").alias("iterations"),
        _left(1).alias("fingerprint"),
        "znode",
        F.coalesce("problem", F.when(_left(2).isNull(), "the credential is malformed")).alias("problem"),
    )
    return last_of_each_key(every, "user", "mechanism")


def from_kafka(admin_scram_credentials: DataFrame) -> DataFrame:
    """One row a user and mechanism."""
    return admin_scram_credentials


def _left(group: int) -> Column:
    found = F.regexp_extract("text", _LEFT, group)
    return F.when(found != "", found)
