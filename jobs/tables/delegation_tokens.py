"""Delegation tokens: from the redacted znodes of the tokens."""

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from jobs.tables.parts.spelling import desanitized
from jobs.tables.parts.znode import no_object, parsed, znodes_at

_TOKEN = (
    "version INT, owner STRING, tokenRequester STRING, renewers ARRAY<STRING>, "
    "issueTimestamp BIGINT, expiryTimestamp BIGINT, maxTimestamp BIGINT"
)
_LAST_INSTANT_MS = 253_402_300_799_999
"""The end of the year 9999; readers of Delta know no later instant."""


def from_zookeeper(znodes: DataFrame) -> DataFrame:
    """One row a token; see `kafka.zk.DelegationTokenInfoZNode` and `TokenInformation`'s three versions."""
    owner = desanitized(F.col("doc.owner"))
    is_old = F.col("doc.version") < 3
    return (
        znodes_at(znodes, "/delegation_token/tokens/([^/]+)", token="string")
        .where("data <> ''")
        .withColumn("doc", parsed(F.col("data"), _TOKEN))
        .select(
            "token",
            owner.alias("owner"),
            F.when(is_old, owner).otherwise(desanitized(F.col("doc.tokenRequester"))).alias("requester"),
            F.transform("doc.renewers", desanitized).alias("renewers"),
            _instant("issueTimestamp").alias("issued_at"),
            _instant("expiryTimestamp").alias("expires_at"),
            _instant("maxTimestamp").alias("max_at"),
            F.col("doc.version").alias("version"),
            F.coalesce(no_object(F.col("data")), _unknown_version(), _incomplete()).alias("problem"),
        )
    )


def _instant(field: str) -> Column:
    milliseconds = F.col(f"doc.{field}")
    return F.timestamp_millis(F.when(milliseconds.between(0, _LAST_INSTANT_MS), milliseconds))


def _unknown_version() -> Column:
    is_known = F.coalesce(F.col("doc.version").between(1, 3), F.lit(False))
    return F.when(~is_known, "the version is not 1 to 3")


def _incomplete() -> Column:
    needed = ["owner", "renewers", "issueTimestamp", "expiryTimestamp"]
    lacks = F.greatest(*[F.col(f"doc.{name}").isNull() for name in needed])
    lacks_new = (F.col("doc.version") >= 3) & F.col("doc.tokenRequester").isNull()
    lacks_end = (F.col("doc.version") >= 2) & F.col("doc.maxTimestamp").isNull()
    return F.when(lacks | lacks_new | lacks_end, "the token lacks a field")
