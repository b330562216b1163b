"""From znodes to rows: the steps and the documents that several tables share."""

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

FINGERPRINT = "(hmac:[0-9a-f]{32}|present)"
"""What the collector leaves of a secret; see `jobs.secrets`."""
TOPIC = "/brokers/topics/([^/]+)"
_REPLICAS = "MAP<STRING, ARRAY<INT>>"
ASSIGNMENT = f"partitions {_REPLICAS}, adding_replicas {_REPLICAS}, removing_replicas {_REPLICAS}"
"""The fields of a topic's znode that say which brokers hold its partitions."""


def znodes_at(znodes: DataFrame, pattern: str, **parts: str) -> DataFrame:
    """Only the znodes whose whole path matches `pattern`, each group a column of the given name and type.

    A path whose number is no INT is left out: Kafka's own ids are 32 bits, and such a row could have no key.
    """
    columns = {
        name: F.regexp_extract("path", f"^{pattern}$", group).try_cast(kind)
        for group, (name, kind) in enumerate(parts.items(), start=1)
    }
    found = znodes.where(F.col("path").rlike(f"^{pattern}$")).withColumns(columns)
    return found.dropna(subset=list(parts)) if parts else found


def parsed(data: Column, schema: str) -> Column:
    """The znode's JSON document as a struct; fields that are absent or of another type are null."""
    return F.from_json(data, schema)


def no_object(data: Column) -> Column:
    """A problem when the data is no JSON object: Kafka itself then reads the znode as empty, or fails."""
    return F.when(F.json_object_keys(data).isNull(), F.lit("the znode is not a JSON object"))


def last_of_each_key(rows: DataFrame, *key: str) -> DataFrame:
    """One row a key, that of the highest `place`: in a JSON object Kafka reads the last of two equal names.

    A row without a place, which stands for a malformed object, is kept like any other.
    """
    others = [name for name in rows.columns if name not in (*key, "place")]
    last = rows.groupBy(*key).agg(F.max_by(F.struct(*others), F.struct("place")).alias("last"))
    return last.select(*key, "last.*")


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
        .withColumn("problem", F.coalesce(no_object(F.col("data")), _no_config()))
        .withColumnRenamed("path", "znode")
    )
    # A malformed znode has no map to explode, but stays as one row.
    exploded = documents.select(*kept, F.posexplode_outer("doc.config").alias("place", "key", "text"))
    return exploded.where("problem is not null or key is not null").select(
        *kept, "place", F.when(F.col("problem").isNull(), F.col("key")).otherwise("").alias("name"), "text"
    )


def assignment(znodes: DataFrame) -> DataFrame:
    """One row a partition: `topic`, `partition`, `replicas`, `adding`, `removing`; see `kafka.zk.TopicZNode`."""
    topics = znodes_at(znodes, TOPIC, topic="string")
    exploded = topics.withColumn("assigned", parsed(F.col("data"), ASSIGNMENT)).select(
        "topic", "assigned", F.posexplode("assigned.partitions").alias("place", "number", "replicas")
    )
    none = F.array().cast("array<int>")
    rows = exploded.select(
        "topic",
        F.col("number").try_cast("int").alias("partition"),
        "place",
        "replicas",
        F.coalesce(F.try_element_at("assigned.adding_replicas", F.col("number")), none).alias("adding"),
        F.coalesce(F.try_element_at("assigned.removing_replicas", F.col("number")), none).alias("removing"),
    ).where("partition is not null")
    return last_of_each_key(rows, "topic", "partition")


def _no_config() -> Column:
    return F.when(F.col("doc.config").isNull(), F.lit("the znode has no config object"))
