"""Client quotas: from the config znodes of users, clients and addresses, or from DescribeClientQuotas."""

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from jobs.tables.parts.spelling import desanitized
from jobs.tables.parts.znode import config_rows, last_of_each_key

_USER = "/config/users/([^/]+)"
_CLIENT = "(?:/config/users/[^/]+|/config)/clients/([^/]+)"
_IP = "/config/ips/([^/]+)"
_ENTITY = "/config/(?:users/[^/]+|(?:users/[^/]+/)?clients/[^/]+|ips/[^/]+)"
_SCRAM = "^SCRAM-SHA-(256|512)$"


def from_zookeeper(znodes: DataFrame) -> DataFrame:
    """One row a quota; see `kafka.zk.ConfigEntityZNode`. A malformed znode is one row with an empty name."""
    keys = config_rows(znodes, _ENTITY).where(~F.col("name").rlike(_SCRAM))
    value = F.col("text").try_cast("double")
    every = keys.select(
        _part(_USER + "(?:/clients/[^/]+)?").alias("user"),
        _part(_CLIENT).alias("client_id"),
        _part(_IP).alias("ip"),
        "name",
        F.struct("znode", "place").alias("place"),
        value.alias("value"),
        "znode",
        F.coalesce("problem", _no_number(value)).alias("problem"),
    )
    return last_of_each_key(every, "user", "client_id", "ip", "name")


def from_kafka(admin_quotas: DataFrame) -> DataFrame:
    """One row a quota."""
    return admin_quotas


def _part(pattern: str) -> Column:
    """The name in the znode's path, null where the path has none."""
    found = F.regexp_extract("znode", f"^{pattern}$", 1)
    return desanitized(F.when(found != "", found))


def _no_number(value: Column) -> Column:
    is_none = value.isNull() & F.col("problem").isNull()
    return F.when(is_none, F.lit("the quota is not a number"))
