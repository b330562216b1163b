"""How many broker ids were generated: the dataVersion of `/brokers/seqid`."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from jobs.tables.parts.znode import znodes_at


def from_zookeeper(znodes: DataFrame) -> DataFrame:
    """One row; see `kafka.server.KafkaServer.generateBrokerId`: the data is empty, each write counts."""
    return znodes_at(znodes, "/brokers/seqid").select(F.col("version").alias("generated"))
