"""ACLs: from the znodes of both stores, or from DescribeAcls."""

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from jobs.tables.parts.znode import no_object, parsed, znodes_at

_PATH = "/kafka-acl(|-extended/prefixed)/([^/]+)/(.+)"
_ENTRY = "STRUCT<principal: STRING, permissionType: STRING, operation: STRING, host: STRING>"
_RESOURCE = ("resource_type", "pattern_type", "resource_name", "znode")


def from_zookeeper(znodes: DataFrame) -> DataFrame:
    """One row an entry; see `kafka.zk.ResourceZNode`, `AclEntry`. A malformed znode is one row without an entry."""
    documents = (
        _resources(znodes)
        .withColumn("doc", parsed(F.col("data"), f"version INT, acls ARRAY<{_ENTRY}>"))
        .withColumn("malformed", _malformed())
    )
    # A malformed znode has no list to explode, but stays as one row.
    every = documents.select(*_RESOURCE, "malformed", F.posexplode_outer("doc.acls").alias("place", "entry"))
    return (
        every.where("malformed is not null or place is not null")
        .select(
            *_RESOURCE,
            _field("principal").alias("principal"),
            _field("host").alias("host"),
            _field("operation").alias("operation"),
            _field("permissionType").alias("permission"),
            F.coalesce("malformed", _lacks_a_field()).alias("problem"),
        )
        # In Kafka the entries of a resource are a set.
        .dropDuplicates()
    )


def from_kafka(admin_acls: DataFrame) -> DataFrame:
    """One row an entry."""
    return admin_acls


def _resources(znodes: DataFrame) -> DataFrame:
    """Every resource with data. Kafka reads a znode without data as a resource without entries."""
    found = znodes_at(znodes, _PATH, store="string", resource_type="string", resource_name="string")
    pattern_type = F.when(F.col("store") == "", "literal").otherwise("prefixed")
    return (
        found.where("data <> ''").withColumnRenamed("path", "znode").withColumn("pattern_type", pattern_type)
    )


def _malformed() -> Column:
    return F.coalesce(
        no_object(F.col("data")),
        F.when(~F.col("doc.version").eqNullSafe(1), "the version is not 1"),
        F.when(F.col("doc.acls").isNull(), "the znode has no list of acls"),
    )


def _field(name: str) -> Column:
    """A field of the entry; null where the znode is malformed, for Kafka does not read it then."""
    return F.when(F.col("malformed").isNull(), F.col(f"entry.{name}"))


def _lacks_a_field() -> Column:
    fields = ("principal", "permissionType", "operation", "host")
    is_short = F.array_contains(F.array(*[F.col(f"entry.{name}").isNull() for name in fields]), F.lit(True))
    return F.when(is_short, "an entry lacks a field")
