"""Shared steps for tables made from znodes: picking them by path, reading their JSON."""

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F


def znodes_at(znodes: DataFrame, pattern: str, **parts: str) -> DataFrame:
    """Only the znodes whose whole path matches `pattern`, each group a column of the given name and type."""
    columns = {
        name: F.regexp_extract("path", f"^{pattern}$", group).cast(kind)
        for group, (name, kind) in enumerate(parts.items(), start=1)
    }
    return znodes.where(F.col("path").rlike(f"^{pattern}$")).withColumns(columns)


def parsed(data: Column, schema: str) -> Column:
    """The znode's JSON document as a struct; fields that are absent or of another type are null."""
    return F.from_json(data, schema)


def not_json(data: Column) -> Column:
    """A problem when the data is no JSON; Kafka itself then reads the znode as empty."""
    return F.when(F.get_json_object(data, "$").isNull(), F.lit("the znode is not JSON"))
