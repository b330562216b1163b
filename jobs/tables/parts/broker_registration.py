"""Brokers' registrations in ZooKeeper, all five versions (`kafka.zk.BrokerIdZNode.decode`)."""

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from jobs.tables.parts.znode import no_object, parsed, znodes_at

_REGISTRATION = """version INT, host STRING, port INT, jmx_port INT, endpoints ARRAY<STRING>, rack STRING,
listener_security_protocol_map MAP<STRING, STRING>, features MAP<STRING, STRUCT<min_version: INT, max_version: INT>>"""
_ENDPOINT = r"^(.*)://\[?([0-9a-zA-Z\-%._:]*)\]?:(-?[0-9]+)$"
_PROTOCOLS = ("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL")


def brokers_in_zookeeper(znodes: DataFrame) -> DataFrame:
    """Rows of `brokers` from `/brokers/ids`; one that Kafka cannot decode has a problem and what could be read."""
    return (
        znodes_at(znodes, "/brokers/ids/(0|[1-9][0-9]*)", broker_id="int")
        .withColumn("doc", parsed(F.col("data"), _REGISTRATION))
        .withColumn("endpoints", _endpoints())
        .withColumn("security_protocols", F.transform("endpoints", _security_protocol))
        .select(
            "broker_id",
            "endpoints",
            F.col("doc.rack").alias("rack"),
            F.col("czxid").alias("epoch"),
            F.col("ephemeral_owner").alias("session"),
            F.col("ctime").alias("registered_at"),
            F.lit(None).cast("boolean").alias("fenced"),
            F.col("doc.version").alias("version"),
            F.col("doc.jmx_port").alias("jmx_port"),
            "security_protocols",
            _features().alias("features"),
            F.coalesce(no_object(F.col("data")), *_problems()).alias("problem"),
        )
    )


def _endpoints() -> Column:
    """Version 1 knew no endpoints, only one host and port."""
    plain = F.array(F.format_string("PLAINTEXT://%s:%d", "doc.host", "doc.port"))
    is_plain = F.col("doc.host").isNotNull() & F.col("doc.port").isNotNull()
    is_first = F.coalesce("doc.version", F.lit(1)) == 1
    return F.when(is_first & is_plain, plain).otherwise(F.col("doc.endpoints"))


def _security_protocol(endpoint: Column) -> Column:
    """The listener and its protocol: by the registration's map, or its own name where there is none."""
    listener = F.upper(F.regexp_extract(endpoint, _ENDPOINT, 1))
    of_listener = F.filter(
        F.map_entries("doc.listener_security_protocol_map"), lambda entry: entry.key == listener
    )
    protocol = F.when(F.col("doc.listener_security_protocol_map").isNull(), listener).otherwise(
        F.upper(F.try_element_at(of_listener, F.lit(-1)).value)
    )
    known = F.when(protocol.isin(*_PROTOCOLS), protocol)
    return F.struct(listener.alias("listener"), known.alias("protocol"))


def _features() -> Column:
    """By name: the JSON object has no order."""
    return F.array_sort(
        F.transform(
            F.map_entries("doc.features"),
            lambda entry: F.struct(
                entry.key.alias("name"),
                entry.value.min_version.alias("min_version"),
                entry.value.max_version.alias("max_version"),
            ),
        )
    )


def _problems() -> list[Column]:
    """What Kafka fails on, in the order it looks."""
    unparsed = F.get(
        F.filter("endpoints", lambda endpoint: ~F.coalesce(endpoint.rlike(_ENDPOINT), F.lit(False))), F.lit(0)
    )
    without_protocol = F.get(F.filter("security_protocols", lambda pair: pair.protocol.isNull()), F.lit(0))
    version = F.col("doc.version")
    return [
        F.when(F.size("endpoints") > F.size(F.array_compact("endpoints")), "an endpoint is null"),
        F.when(version.isNull() & F.col("endpoints").isNotNull(), "the registration names no version"),
        F.when(version < 1, F.concat(F.lit("Unsupported version of broker registration: "), version)),
        F.when(F.col("endpoints").isNull(), "the registration names no endpoints"),
        F.when(F.col("doc.jmx_port").isNull(), "the registration names no jmx_port"),
        F.concat(F.lit("Unable to parse "), unparsed, F.lit(" to a broker endpoint")),
        F.concat(F.lit("No security protocol defined for listener "), without_protocol.listener),
    ]
