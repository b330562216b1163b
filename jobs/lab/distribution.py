"""The jars of any Kafka version, and what differs between versions."""

import re
from pathlib import Path

from jobs.machine.jars import fetch, fetch_alone

KAFKA_VERSION = "3.9.1"
"""What the lab runs unless told otherwise: the newest line with both modes."""
OLD_TOOL_VERSION = "2.6.3"
"""Its tools talk to ZooKeeper and do not know topic ids."""

_DYNAMIC_QUORUM_SINCE = (3, 9)
_SLF4J_1 = "1.7.36"


def kafka_jars(version: str) -> list[Path]:
    """Kafka's server with its ZooKeeper (up to 3.9), and a logger that writes to standard error."""
    return _with_logger(fetch(f"org.apache.kafka:kafka_2.13:{version}"))


def kafka_tool_jars(version: str) -> list[Path]:
    """The command line tools of Kafka 3.x and newer; older ones are in the server's jars."""
    return fetch_alone(f"org.apache.kafka:kafka-tools:{version}") + kafka_jars(version)


def has_dynamic_quorum(version: str) -> bool:
    """Controllers can be added and removed while the cluster runs (KIP-853)."""
    major, minor = version.split(".")[:2]
    return (int(major), int(minor)) >= _DYNAMIC_QUORUM_SINCE


def _with_logger(jars: list[Path]) -> list[Path]:
    """Kafka's jars bring SLF4J's interface without a logger behind it: without one a server dies in silence."""
    for jar in jars:
        if api := re.search(r"_slf4j-api-(.+)\.jar$", jar.name):
            version = _SLF4J_1 if api[1].startswith("1.") else api[1]
            return fetch_alone(f"org.slf4j:slf4j-simple:{version}") + jars
    return jars
