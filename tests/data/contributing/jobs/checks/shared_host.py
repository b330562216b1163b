"""Machines that run more than one broker."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from jobs.checks.parts.check import Check
from schemas.judgement import Severity


def shared_host(hosts: DataFrame) -> DataFrame:
    """More than one broker has the same host."""
    of_host = hosts.groupBy("host").agg(
        F.array_sort(F.collect_list("broker_id")).alias("brokers"), F.bool_and("is_current").alias("is_known")
    )
    return of_host.select(
        F.concat(F.lit("host "), "host").alias("subject"),
        (F.size("brokers") > 1).alias("is_hit"),
        "is_known",
        F.struct("brokers").alias("evidence"),
    )


CHECK = Check(
    severity=Severity.WARNING,
    remedy="Move one of the brokers to a machine of its own.",
    judge=shared_host,
)
