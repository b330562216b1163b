"""Shared steps for tables made from znodes: picking them by path, reading their JSON."""

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F


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


def last_of_each_key(rows: DataFrame, *key: str) -> DataFrame:
    """One row a key, that of the highest `place`: in a JSON object Kafka reads the last of two equal names.

    A row without a place, which stands for a malformed object, is kept like any other.
    """
    others = [name for name in rows.columns if name not in (*key, "place")]
    last = rows.groupBy(*key).agg(F.max_by(F.struct(*others), F.struct("place")).alias("last"))
    return last.select(*key, "last.*")


def no_object(data: Column) -> Column:
    """A problem when the data is no JSON object: Kafka itself then reads the znode as empty, or fails."""
    return F.when(F.json_object_keys(data).isNull(), F.lit("the znode is not a JSON object"))
