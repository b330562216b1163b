"""The only place that builds a SparkSession, with Delta: local and small, or on a cluster."""

import os
from collections.abc import Mapping
from pathlib import Path

from pyspark.sql import SparkSession

from jobs.machine.class_data import use_archive
from jobs.machine.jars import delta_jars
from jobs.machine.java import find_java
from jobs.machine.masters import check_master
from jobs.machine.names import remember_names
from jobs.machine.s3a import give_credentials, s3_settings
from jobs.spark_settings import SparkSettings
from jobs.storage import Bucket, Location

# A snapshot lasts half a minute: the second compiler would take more time than it gives back.
_OF_A_SHORT_LIFE = "-XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=256m -XX:+UseSerialGC"
_JAVA_OPTIONS = (
    f"{_OF_A_SHORT_LIFE} -Dlog4j2.configurationFile={Path(__file__).with_name('log4j2.properties').as_uri()}"
)
_SETTINGS = {
    "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
    "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.parquet.outputTimestampType": "TIMESTAMP_MICROS",
    "spark.databricks.delta.snapshotPartitions": "1",
    "spark.driver.memory": "3g",
    # The plans of forty tables generate more code than the default keeps, and each snapshot would compile it again.
    "spark.sql.codegen.cache.maxEntries": "5000",
    "spark.ui.enabled": "false",
    # Where in Python a column was made, looked up for every single one.
    "spark.python.sql.dataFrameDebugging.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    # `.crc` files outgrow the data of small tables.
    "spark.hadoop.fs.file.impl": "org.apache.hadoop.fs.RawLocalFileSystem",
    "spark.hadoop.fs.AbstractFileSystem.file.impl": "org.apache.hadoop.fs.local.RawLocalFs",
    "spark.databricks.delta.writeChecksumFile.enabled": "false",
    # Counts of files and rows for DESCRIBE HISTORY: a quarter of what a small append costs.
    "spark.databricks.delta.history.metricsEnabled": "false",
    # The list of files for those `.crc` files, which Delta makes even where it writes none.
    "spark.databricks.delta.allFilesInCrc.enabled": "false",
    # ICU's tables of upper and lower case take two seconds to set up; what is compared here is ASCII.
    "spark.sql.icu.caseMappings.enabled": "false",
}

_ON_A_CLUSTER = {
    "spark.executor.extraJavaOptions": _OF_A_SHORT_LIFE,
    # Most tasks are done sooner than the executor that has the blocks is free again.
    "spark.locality.wait": "0s",
}
_ON_THIS_HOST_ONLY = {"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"}

_OF_FEW_ROWS = {
    # Compiled plans, plans that are made anew while they run and several partitions cost more than they give back.
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.shuffle.partitions": "1",
    "spark.sql.leafNodeDefaultParallelism": "1",
    "spark.sql.autoBroadcastJoinThreshold": "-1",
}
_OF_MANY_ROWS = {
    "spark.sql.codegen.wholeStage": "true",
    "spark.sql.codegen.factoryMode": "FALLBACK",
    "spark.sql.adaptive.enabled": "true",
    "spark.sql.autoBroadcastJoinThreshold": "10MB",
}


def spark_session(
    app: str,
    lake: Location | None = None,
    where: SparkSettings = SparkSettings(),  # noqa: B008 (nothing changes it)
    class_data: str | None = None,
) -> SparkSession:
    """A session that reads and writes Delta. One application does a whole snapshot.

    It reaches folders, and the object store that the `lake` is in. On a cluster it is in client mode: this process is the
    driver, and the workers get every jar from it.

    `class_data` replaces the JVM's options to use the class-data archive that is there, so that one can be written.
    Raises VarveError when the master does not answer.
    """
    check_master(where)
    os.environ["JAVA_HOME"] = str(find_java().parent.parent)
    # glibc gives every thread an arena, and keeps there what S3A's buffers took: the JVM would grow by a fifth.
    os.environ["MALLOC_ARENA_MAX"] = "2"
    os.environ["MALLOC_MMAP_THRESHOLD_"] = str(2**20)
    if where.is_local:
        os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    options = use_archive() if class_data is None else class_data
    settings = _settings(lake, where) | {"spark.driver.extraJavaOptions": f"{_JAVA_OPTIONS} {options}"}
    builder = SparkSession.builder.master(where.master).appName(f"varve {app}")
    for key, value in settings.items():
        builder = builder.config(key, value)
    spark = builder.getOrCreate()
    if isinstance(lake, Bucket):
        give_credentials(spark, lake)
    remember_names(spark)
    return spark


def _settings(lake: Location | None, where: SparkSettings) -> dict[str, str]:
    of_lake = s3_settings(lake) if isinstance(lake, Bucket) else {}
    of_place = _ON_THIS_HOST_ONLY if where.is_local else _ON_A_CLUSTER
    # On the class path, not in `spark.jars`: only there the class-data archive knows them.
    class_path = [str(jar) for jar in delta_jars()]
    for_workers = [] if where.is_local else class_path
    settings = _SETTINGS | _OF_FEW_ROWS | of_place | of_lake | where.conf
    settings["spark.driver.extraClassPath"] = _joined(
        ":", class_path, where.conf, "spark.driver.extraClassPath"
    )
    settings["spark.jars"] = _joined(
        ",", [*for_workers, *_given(",", of_lake, "spark.jars")], where.conf, "spark.jars"
    )
    return settings


def _joined(separator: str, ours: list[str], conf: Mapping[str, str], key: str) -> str:
    """What is ours, and what the settings add to it."""
    return separator.join([*ours, *_given(separator, conf, key)])


def _given(separator: str, conf: Mapping[str, str], key: str) -> list[str]:
    return [each for each in conf.get(key, "").split(separator) if each]


def suit(spark: SparkSession, is_large: bool) -> None:
    """Set the session for what comes next: many rows, or so few that planning costs more than they do."""
    for key, value in (_of_many_rows(spark) if is_large else _OF_FEW_ROWS).items():
        spark.conf.set(key, value)


def _of_many_rows(spark: SparkSession) -> dict[str, str]:
    cores = str(max(2, spark.sparkContext.defaultParallelism))
    return _OF_MANY_ROWS | {
        "spark.sql.shuffle.partitions": cores,
        "spark.sql.leafNodeDefaultParallelism": cores,
    }
