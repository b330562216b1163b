"""Finalized features: from `/feature`, or from ApiVersions."""

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from jobs.tables.parts.znode import last_of_each_key, no_object, parsed, znodes_at

_LEVELS = "STRUCT<min_version_level: INT, max_version_level: INT>"
_FEATURE = f"version INT, status INT, features MAP<STRING, {_LEVELS}>"


def from_zookeeper(znodes: DataFrame) -> DataFrame:
    """One row a feature; see `kafka.zk.FeatureZNode`, which refuses to read what is malformed."""
    documents = (
        znodes_at(znodes, "/feature")
        .withColumn("doc", parsed(F.col("data"), _FEATURE))
        .withColumn("malformed", _malformed())
    )
    levels = F.when(F.col("malformed").isNull(), F.col("doc.features"))
    exploded = documents.select(
        "malformed", "doc.version", F.posexplode_outer(levels).alias("place", "feature", "of")
    )
    every = exploded.where("malformed is not null or feature is not null").select(
        F.coalesce("feature", F.lit("")).alias("feature"),
        F.col("of.max_version_level").alias("level"),
        F.col("of.min_version_level").alias("min_level"),
        "place",
        F.coalesce("malformed", _bad_level()).alias("problem"),
    )
    return last_of_each_key(every, "feature")


def from_kafka(admin_features: DataFrame) -> DataFrame:
    """One row a feature."""
    return admin_features


def _malformed() -> Column:
    has_version = F.coalesce(F.col("doc.version").between(1, 2), F.lit(False))
    has_status = F.coalesce(F.col("doc.status").between(0, 1), F.lit(False))
    return F.coalesce(
        no_object(F.col("data")),
        F.when(~has_version, "the version is not 1 or 2"),
        F.when(~has_status, "the status is not 0 or 1"),
        F.when(F.col("doc.features").isNull(), "the znode has no map of features"),
    )


def _bad_level() -> Column:
    is_level = F.coalesce(F.col("of.max_version_level") >= 1, F.lit(False))
    minimum = F.col("of.min_version_level")
    is_minimum = F.coalesce(minimum.between(1, F.col("of.max_version_level")), F.lit(False))
    is_range = is_level & ((F.col("version") == 2) | is_minimum)
    return F.when(~is_range, "the feature has no range of levels from 1 on")
