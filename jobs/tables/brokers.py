"""Brokers: from their registrations in ZooKeeper, or from DescribeCluster and the controllers' checkpoints."""

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from jobs.tables.parts.znode import no_object, parsed, znodes_at

_REGISTRATION = """version INT, host STRING, port INT, jmx_port INT, endpoints ARRAY<STRING>, rack STRING,
listener_security_protocol_map MAP<STRING, STRING>, features MAP<STRING, STRUCT<min_version: INT, max_version: INT>>"""
_ENDPOINT = r"^(.*)://\[?([0-9a-zA-Z\-%._:]*)\]?:(-?[0-9]+)$"
_PROTOCOLS = ("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL")


def from_zookeeper(znodes: DataFrame) -> DataFrame:
    """One row a registration, of any of its five versions (`kafka.zk.BrokerIdZNode.decode`).

    A registration that Kafka cannot decode is a row with a problem and with what could be read.
    """
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
            F.col("doc.version").alias("version"),
            F.col("doc.jmx_port").alias("jmx_port"),
            "security_protocols",
            _features().alias("features"),
            F.coalesce(no_object(F.col("data")), *_problems()).alias("problem"),
        )
    )


def from_kafka(
    admin_brokers: DataFrame, checkpoint_brokers: DataFrame, metadata_checkpoints: DataFrame
) -> DataFrame:
    """One row a registered broker.

    Before Kafka 4.0 DescribeCluster lists no fenced brokers and does not say `fenced`. Then every broker that it lists
    is not fenced, and every broker that only the newest checkpoint registers is fenced.
    """
    registered = _newest(checkpoint_brokers, metadata_checkpoints)
    return _listed(admin_brokers).unionByName(_fenced(registered, admin_brokers), allowMissingColumns=True)


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
    """Why Kafka cannot decode a registration, in the order in which Kafka checks it."""
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


def _listed(admin_brokers: DataFrame) -> DataFrame:
    return admin_brokers.select(
        "broker_id",
        F.array(F.concat_ws(":", "host", "port")).alias("endpoints"),
        "rack",
        F.coalesce("fenced", F.lit(False)).alias("fenced"),
    )


def _newest(checkpoint_brokers: DataFrame, metadata_checkpoints: DataFrame) -> DataFrame:
    """The registrations in the checkpoint with the highest end offset; a malformed one counts only where none is whole."""
    place = F.struct("broker_id", "path")
    reach = F.struct(F.col("problem").isNull(), "end_offset", "epoch", "broker_id", "path")
    newest = metadata_checkpoints.agg(F.max_by(place, reach).alias("newest"))
    return checkpoint_brokers.join(newest, on=place == F.col("newest"), how="left_semi")


def _fenced(registered: DataFrame, admin_brokers: DataFrame) -> DataFrame:
    """Registrations that DescribeCluster leaves out; none where it lists fenced brokers itself."""
    says_fenced = admin_brokers.where("fenced IS NOT NULL")
    listed = admin_brokers.select(F.col("broker_id").alias("registered_id"))
    return (
        registered.join(listed, on="registered_id", how="left_anti")
        .join(says_fenced, how="left_anti")
        .select(
            F.col("registered_id").alias("broker_id"),
            "endpoints",
            "rack",
            F.lit(True).alias("fenced"),
            "epoch",
            "security_protocols",
            "features",
        )
    )
