"""Config znodes, whatever is configured: `{"version":1,"config":{name:value}}`."""

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from jobs.tables.parts.znode import no_object, parsed, znodes_at

FINGERPRINT = "(hmac:[0-9a-f]{32}|present)"
"""What the collector leaves of a secret; see `jobs.secrets`."""


def config_rows(znodes: DataFrame, pattern: str, **parts: str) -> DataFrame:
    """One row a key of every config znode whose path matches; see `kafka.zk.ConfigEntityZNode`.

    Columns: `znode`, those of `parts`, `encoding`, `name`, `text`, `place` (where the key stands in the object)
    and `problem`. A malformed znode is one row with an empty name; one without data holds nothing.
    """
    kept = ["znode", *parts, "encoding", "problem"]
    documents = (
        znodes_at(znodes, pattern, **parts)
        .where("data is not null")
        .withColumn("doc", parsed(F.col("data"), "config MAP<STRING, STRING>"))
        .withColumn("problem", _malformed())
        .withColumnRenamed("path", "znode")
    )
    # A malformed znode has no map to explode, but stays as one row.
    exploded = documents.select(*kept, F.posexplode_outer("doc.config").alias("place", "key", "text"))
    return exploded.where("problem is not null or key is not null").select(
        *kept, "place", F.when(F.col("problem").isNull(), F.col("key")).otherwise("").alias("name"), "text"
    )


def _malformed() -> Column:
    lacks_config = F.when(F.col("doc.config").isNull(), F.lit("the znode has no config object"))
    return F.coalesce(no_object(F.col("data")), lacks_config)
