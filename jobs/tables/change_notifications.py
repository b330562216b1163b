"""Change notifications: from the sequential znodes with which brokers and the controller tell each other of changes."""

from functools import reduce

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from jobs.tables.parts.znode import no_object, parsed, znodes_at

_KINDS = {
    "config": "/config/changes/config_change",
    "isr": "/isr_change_notification/isr_change",
    "log_dir": "/log_dir_event_notification/log_dir_event",
    "acl": "/kafka-acl-changes/acl_changes",
    "extended_acl": "/kafka-acl-extended-changes/acl_changes",
    "token": "/delegation_token/token_changes/token_change",
}
_PLAIN = ("acl", "token")
"""Kinds whose data is plain text; that of the others is JSON."""
_FIELDS = (
    "entity_path STRING, entity_type STRING, entity_name STRING, broker INT, resourceType STRING, "
    "patternType STRING, name STRING, partitions ARRAY<STRUCT<topic: STRING, partition: INT>>"
)


def from_zookeeper(znodes: DataFrame) -> DataFrame:
    """One row a notification; see the `…ChangeNotificationSequenceZNode` and `…AclChangeStore` of `kafka.zk`."""
    pattern = f"({'|'.join(_KINDS.values())})_(-?[0-9]+)"
    return (
        znodes_at(znodes, pattern, prefix="string", sequence="bigint")
        .withColumn("doc", parsed(F.col("data"), _FIELDS))
        .withColumn("kind", _by_prefix({kind: F.lit(kind) for kind in _KINDS}))
        .withColumn("subject", _by_prefix(_subjects()))
        .select(
            F.col("path").alias("znode"),
            "kind",
            "sequence",
            "subject",
            F.col("ctime").alias("created_at"),
            F.coalesce(_no_json(), _no_subject()).alias("problem"),
        )
    )


def _subjects() -> dict[str, Column]:
    """What a notification of each kind is about; null where it does not say."""
    version_1 = F.concat(F.col("doc.entity_type"), F.lit("/"), F.col("doc.entity_name"))
    partitions = F.transform("doc.partitions", lambda p: F.concat(p["topic"], F.lit("-"), p["partition"]))
    extended = [F.col(f"doc.{name}") for name in ("resourceType", "patternType", "name")]
    return {
        "config": F.coalesce("doc.entity_path", version_1),
        "isr": F.array_join(partitions, ", "),
        "log_dir": F.concat(F.lit("broker "), F.col("doc.broker")),
        "acl": F.when(F.col("data").contains(":"), F.col("data")),
        "extended_acl": F.concat(extended[0], F.lit(":"), extended[1], F.lit(":"), extended[2]),
        "token": F.when(F.col("data") != "", F.col("data")),
    }


def _by_prefix(values: dict[str, Column]) -> Column:
    cases = [F.when(F.col("prefix") == _KINDS[kind], value) for kind, value in values.items()]
    return reduce(F.coalesce, cases)


def _no_json() -> Column:
    return F.when(~F.col("kind").isin(*_PLAIN), no_object(F.col("data")))


def _no_subject() -> Column:
    return F.when(F.col("subject").isNull(), "the notification does not say what changed")
