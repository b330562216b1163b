"""Names of users, clients and principals as Kafka writes them into ZooKeeper (`common.utils.Sanitizer`)."""

from pyspark.sql import Column
from pyspark.sql import functions as F

DEFAULT = "<default>"
"""Every entity without one of its own (`ZooKeeperInternals.DEFAULT_STRING`)."""


def desanitized(name: Column) -> Column:
    """The name itself. What Kafka cannot have written stays as it is, and so does a name that looks like the default."""
    decoded = F.try_url_decode(name)
    return F.when(decoded.isNull() | (decoded == DEFAULT), name).otherwise(decoded)
