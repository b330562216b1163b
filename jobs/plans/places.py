"""A cluster's addresses, and the commands of Kafka's own tools that use them."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from shlex import quote

LONGEST_ARGUMENT = 100_000
"""Linux refuses an argument of 128 KiB."""


@dataclass(frozen=True)
class Places:
    """Where a ZooKeeper-mode cluster is. Every word of a command is quoted for a shell.

    `chroot` is empty where the cluster is at the root; `notes` say what the tools need besides, such as a login.
    """

    zookeeper: str
    chroot: str
    bootstrap_servers: str
    notes: tuple[str, ...] = ()

    def path(self, znode: str) -> str:
        """The path of a znode as ZooKeeper knows it, with the chroot."""
        return self.chroot + znode

    def get(self, znode: str) -> str:
        """Print a znode's data."""
        return self._shell("get", self.path(znode))

    def write(self, znode: str, data: str, version: int) -> str:
        """Set a znode's data unless somebody has written it since it had that dataVersion."""
        return self._shell("set", "-v", str(version), self.path(znode), data)

    def delete(self, znode: str) -> str:
        """Delete a znode."""
        return self._shell("delete", self.path(znode))

    def reassign(self, topic: str, partition: int, replicas: Sequence[int]) -> str:
        """Ask the controller for an assignment of one partition."""
        wanted = {"topic": topic, "partition": partition, "replicas": list(replicas)}
        text = json.dumps({"version": 1, "partitions": [wanted]}, separators=(",", ":"))
        file = quote(f"reassign-{topic}-{partition}.json")
        tool = f"kafka-reassign-partitions.sh {self._bootstrap}"
        return f"echo {quote(text)} > {file}\n{tool} --reassignment-json-file {file} --execute"

    @property
    def reassignments(self) -> str:
        """List what is being reassigned."""
        return f"kafka-reassign-partitions.sh {self._bootstrap} --list"

    def describe(self, topic: str) -> str:
        """Print a topic's id, leaders, replicas and ISR."""
        return f"kafka-topics.sh {self._bootstrap} --describe --topic {quote(topic)}"

    def configs(self, topic: str) -> str:
        """Print every config of a topic, the defaults included."""
        return (
            f"kafka-configs.sh {self._bootstrap} --entity-type topics --entity-name {quote(topic)} "
            "--describe --all"
        )

    @property
    def _bootstrap(self) -> str:
        return f"--bootstrap-server {quote(self.bootstrap_servers)}"

    def _shell(self, *words: str) -> str:
        return " ".join(["zookeeper-shell.sh", *map(quote, (self.zookeeper, *words))])
