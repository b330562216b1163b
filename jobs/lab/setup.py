"""`make setup`: finds Java and fetches the jars of Delta Lake, S3 and Kafka, which no Python package brings."""

import sys

from jobs.errors import VarveError
from jobs.lab.class_data import archive_class_data
from jobs.lab.distribution import KAFKA_VERSION, OLD_TOOL_VERSION, kafka_jars, kafka_tool_jars
from jobs.machine.jars import delta_jars
from jobs.machine.java import find_java
from jobs.machine.s3a import s3_jars


def setup() -> None:
    """Find Java and fetch every jar that the demo and the tests need. Jars that were fetched before are kept."""
    print(f"Java: {find_java()}")
    print(
        "Jars: Delta Lake, S3, Kafka and its tools (the first time from Maven Central, about 170 MB) …",
        flush=True,
    )
    delta_jars()
    s3_jars()
    kafka_jars(KAFKA_VERSION)
    kafka_tool_jars(KAFKA_VERSION)
    kafka_jars(OLD_TOOL_VERSION)
    print(
        "The classes of Spark's JVM, archived so that sessions start faster (the first time a minute) …",
        flush=True,
    )
    archive_class_data()
    print("Ready.")


if __name__ == "__main__":
    try:
        setup()
    except VarveError as error:
        sys.exit(f"error: {error}")
