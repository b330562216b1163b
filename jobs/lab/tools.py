"""Kafka's own command line tools, as people use them."""

from pathlib import Path

from jobs.lab.distribution import OLD_TOOL_VERSION, kafka_jars, kafka_tool_jars
from jobs.lab.jvm import run_tool

_QUORUM = "org.apache.kafka.tools.MetadataQuorumCommand"


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


def quorum_status(version: str, bootstrap_controllers: str) -> str:
    """What `describe --status` prints of the quorum."""
    return _describe_quorum(version, bootstrap_controllers, "--status")


def quorum_replication(version: str, bootstrap_controllers: str) -> str:
    """What `describe --replication` prints of the quorum."""
    return _describe_quorum(version, bootstrap_controllers, "--replication")


def _describe_quorum(version: str, bootstrap_controllers: str, what: str) -> str:
    arguments = ["--bootstrap-controller", bootstrap_controllers, "describe", what]
    return run_tool(kafka_tool_jars(version), _QUORUM, *arguments)
