"""Remembers what the names in the JVM mean, so that Py4J asks once for each.

Without it Py4J asks at every use: six thousand times in a snapshot, which takes three seconds.
"""

from typing import Any

from py4j.java_gateway import JavaClass, JavaMember, JVMView
from pyspark.sql import SparkSession


class _View(JVMView):  # type: ignore[misc] # Py4J has no types
    """The JVM's names; which of them are classes is remembered."""

    def __getattr__(self, name: str) -> Any:
        found = super().__getattr__(name)
        if isinstance(found, JavaClass):
            found.__class__ = _Class
            self.__dict__[name] = found
        return found


class _Class(JavaClass):  # type: ignore[misc] # Py4J has no types
    """A class; which of its members are static methods is remembered."""

    def __getattr__(self, name: str) -> Any:
        found = super().__getattr__(name)
        if isinstance(found, JavaMember):
            self.__dict__[name] = found
        return found


def remember_names(spark: SparkSession) -> None:
    """Let this session's JVM be asked once for each class and each of its static methods."""
    jvm = spark.sparkContext._jvm
    if jvm is not None and not isinstance(jvm, _View):
        jvm.__class__ = _View
