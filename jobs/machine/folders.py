"""Folders as Spark's file systems know them: in an object store an empty object whose name ends with a slash."""

from typing import Any

from pyspark.sql import SparkSession

_WITHIN_A_LOG = ("_staged_commits", "_commits")


def remove_empty_folders(spark: SparkSession, log: str) -> None:
    """Remove a Delta log's folder in which nothing is, and those that Delta makes in it; one with a file in it stays."""
    jvm: Any = spark._jvm
    folders = [jvm.org.apache.hadoop.fs.Path(log, name) for name in _WITHIN_A_LOG]
    folders.append(jvm.org.apache.hadoop.fs.Path(log))
    files = folders[-1].getFileSystem(spark.sparkContext._jsc.hadoopConfiguration())
    for path in folders if files.exists(folders[-1]) else ():
        if files.exists(path) and not files.listStatus(path):
            # Not recursive: where the list was wrong, the file system refuses it.
            files.delete(path, False)
