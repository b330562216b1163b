"""The jars and the command line tools of any Kafka version, and what differs between versions."""

import re
from pathlib import Path

from jobs.lab.jvm import run_tool
from jobs.machine.jars import fetch, fetch_alone

KAFKA_VERSION = "3.9.1"
"""What the lab runs unless told otherwise: the newest version with both modes."""
OLD_TOOL_VERSION = "2.6.3"
"""Its tools talk to ZooKeeper and do not know topic ids."""

_DYNAMIC_QUORUM_SINCE = (3, 9)
_SLF4J_1 = "1.7.36"
_QUORUM = "org.apache.kafka.tools.MetadataQuorumCommand"


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


def add_partitions_with_old_tool(zookeeper_connect: str, topic: str, partitions: int) -> str:
    """Raise the topic's partition count with Kafka 2.6.3's tool, which talks to ZooKeeper and drops the topic id."""
    arguments = [
        "--zookeeper",
        zookeeper_connect,
        "--alter",
        "--topic",
        topic,
        "--partitions",
        str(partitions),
    ]
    return run_tool(kafka_jars(OLD_TOOL_VERSION), "kafka.admin.TopicCommand", *arguments)


def add_controller(version: str, bootstrap_controllers: str, properties: Path) -> str:
    """Make the controller with these server properties a voter of the quorum."""
    arguments = ["--bootstrap-controller", bootstrap_controllers, "--command-config", str(properties)]
    return run_tool(kafka_tool_jars(version), _QUORUM, *arguments, "add-controller")


def remove_controller(version: str, bootstrap_controllers: str, node_id: int, directory_id: str) -> str:
    """Make a voter of the quorum an observer."""
    voter = ["--controller-id", str(node_id), "--controller-directory-id", directory_id]
    arguments = ["--bootstrap-controller", bootstrap_controllers, "remove-controller", *voter]
    return run_tool(kafka_tool_jars(version), _QUORUM, *arguments)


def quorum_status(version: str, bootstrap_controllers: str) -> str:
    """What `describe --status` prints of the quorum."""
    return _describe_quorum(version, bootstrap_controllers, "--status")


def quorum_replication(version: str, bootstrap_controllers: str) -> str:
    """What `describe --replication` prints of the quorum."""
    return _describe_quorum(version, bootstrap_controllers, "--replication")


def _with_logger(jars: list[Path]) -> list[Path]:
    """Kafka's jars bring the interface of SLF4J but no logger; without a logger a server fails without a message."""
    for jar in jars:
        if api := re.search(r"_slf4j-api-(.+)\.jar$", jar.name):
            version = _SLF4J_1 if api[1].startswith("1.") else api[1]
            return fetch_alone(f"org.slf4j:slf4j-simple:{version}") + jars
    return jars


def _describe_quorum(version: str, bootstrap_controllers: str, what: str) -> str:
    arguments = ["--bootstrap-controller", bootstrap_controllers, "describe", what]
    return run_tool(kafka_tool_jars(version), _QUORUM, *arguments)
