"""One Kafka process, broker or controller, with its folder, port and settings."""

from dataclasses import dataclass
from pathlib import Path

from jobs.lab.distribution import kafka_jars
from jobs.lab.jvm import Jvm, java_command
from jobs.lab.ports import HOST, kafka_answers

QUICK = {
    "auto.create.topics.enable": "false",
    # Leaders stay where an incident put them, so that the imbalance can be seen.
    "auto.leader.rebalance.enable": "false",
    "background.threads": "2",
    "controlled.shutdown.max.retries": "1",
    "group.initial.rebalance.delay.ms": "0",
    "log.cleaner.dedupe.buffer.size": "4194304",
    "log.flush.offset.checkpoint.interval.ms": "2000",
    "log.flush.start.offset.checkpoint.interval.ms": "2000",
    "num.io.threads": "2",
    "num.network.threads": "1",
    "offsets.topic.num.partitions": "3",
    "replica.high.watermark.checkpoint.interval.ms": "1000",
    "transaction.state.log.num.partitions": "3",
}
"""Broker settings for small and quick clusters."""


def replication(brokers: int) -> dict[str, str]:
    """Settings with which internal topics need no more than this many brokers."""
    factor = str(min(brokers, 3))
    return {
        "offsets.topic.replication.factor": factor,
        "transaction.state.log.replication.factor": factor,
        "transaction.state.log.min.isr": "1",
    }


@dataclass(frozen=True)
class NodeFiles:
    """The folder and the log dirs of a node."""

    folder: Path
    log_dirs: list[Path]

    @property
    def properties(self) -> Path:
        return self.folder / "server.properties"


class Node:
    """A broker or a controller: `jvm` is its process."""

    def __init__(self, node_id: int, files: NodeFiles, port: int, version: str) -> None:
        self.node_id = node_id
        self.files = files
        self.port = port
        command = java_command(kafka_jars(version), "kafka.Kafka", str(files.properties))
        self.jvm = Jvm(files.folder.name, command, files.folder / "server.log")

    @property
    def address(self) -> str:
        return f"{HOST}:{self.port}"

    def configure(self, properties: dict[str, str]) -> None:
        """Write its server.properties."""
        self.files.folder.mkdir(parents=True, exist_ok=True)
        everything = {**properties, "log.dirs": ",".join(str(path) for path in self.files.log_dirs)}
        lines = [f"{key}={value}" for key, value in sorted(everything.items())]
        self.files.properties.write_text("\n".join(lines) + "\n", encoding="utf-8")

    def answers(self) -> bool:
        """It answers Kafka's protocol."""
        return kafka_answers(self.port)


def node_files(directory: Path, name: str, log_dirs: int) -> NodeFiles:
    """The files of the node called `name` under the cluster's directory."""
    folder = directory.resolve() / name
    return NodeFiles(folder, [folder / f"d{number}" for number in range(log_dirs)])
