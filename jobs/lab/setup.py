"""`make setup`: what Python packages cannot bring, Java and the jars; says what it has, or what is missing."""

import sys

from jobs.errors import VarveError
from jobs.lab.distribution import KAFKA_VERSION, OLD_TOOL_VERSION, kafka_jars, kafka_tool_jars
from jobs.machine.jars import delta_jars
from jobs.machine.java import find_java


def setup() -> None:
    """Find Java and fetch every jar the demo and the tests need, once; later calls take no time."""
    print(f"Java: {find_java()}")
    print(
        "Jars: Delta Lake, Kafka and its tools (the first time from Maven Central, about 150 MB) …",
        flush=True,
    )
    delta_jars()
    kafka_jars(KAFKA_VERSION)
    kafka_tool_jars(KAFKA_VERSION)
    kafka_jars(OLD_TOOL_VERSION)
    print("Ready.")


if __name__ == "__main__":
    try:
        setup()
    except VarveError as error:
        sys.exit(f"error: {error}")
