"""SCRAM credentials: from the users' znodes as the collector redacted them, or from the Admin API."""

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from jobs.tables.parts.spelling import desanitized
from jobs.tables.parts.znode import FINGERPRINT, config_rows, last_of_each_key

_REDACTED = f"^{FINGERPRINT}(?:,iterations=([0-9]+))?$"


def from_zookeeper(znodes: DataFrame) -> DataFrame:
    """One row a user and mechanism (KIP-554). A malformed user's znode is one row with an empty mechanism."""
    keys = config_rows(znodes, "/config/users/([^/]+)", user="string")
    every = keys.where("name = '' or name in ('SCRAM-SHA-256', 'SCRAM-SHA-512')").select(
        desanitized(F.col("user")).alias("user"),
        F.col("name").alias("mechanism"),
        F.struct("znode", "place").alias("place"),
        _redacted(2).try_cast("int").alias("iterations"),
        _redacted(1).alias("fingerprint"),
        "znode",
        F.coalesce("problem", F.when(_redacted(2).isNull(), "the credential is malformed")).alias("problem"),
    )
    return last_of_each_key(every, "user", "mechanism")


def from_kafka(admin_scram_credentials: DataFrame) -> DataFrame:
    """One row a user and mechanism."""
    return admin_scram_credentials


def _redacted(group: int) -> Column:
    found = F.regexp_extract("text", _REDACTED, group)
    return F.when(found != "", found)
