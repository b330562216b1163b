"""Folders as Spark's file systems know them: in an object store an empty object whose name ends with a slash."""

from typing import Any

from pyspark.sql import SparkSession

_WITHIN_A_LOG = ("_staged_commits", "_commits")


def remove_empty_folders(spark: SparkSession, log: str) -> None:
    """Remove a Delta log's folder in which nothing is, and those that Delta makes in it; one with a file in it stays."""
    jvm: Any = spark._jvm
    for folder in (*(f"{log}/{name}" for name in _WITHIN_A_LOG), log):
        path = jvm.org.apache.hadoop.fs.Path(folder)
        files = path.getFileSystem(spark.sparkContext._jsc.hadoopConfiguration())
        if files.exists(path) and not files.listStatus(path):
            # Not recursive: where the list was wrong, the file system refuses it.
            files.delete(path, False)
