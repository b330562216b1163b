"""Machines that run more than one broker."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

SEVERITY = "warning"
REMEDY = "Move one of the brokers to a machine of its own."
RUNBOOK = """
One machine's power cut takes several brokers away at once.

Move one of the brokers to a machine of its own. Do not restart both at the same time.
"""


def shared_host(hosts: DataFrame) -> DataFrame:
    """More than one broker has the same host."""
    return (
        hosts.groupBy("host")
        .agg(
            F.concat(F.lit("host "), "host").alias("subject"),
            (F.count("*") > 1).alias("is_hit"),
            F.bool_and("is_current").alias("is_known"),
            F.struct(F.array_sort(F.collect_list("broker_id")).alias("brokers")).alias("evidence"),
        )
        .drop("host")
    )
