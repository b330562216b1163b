"""One cluster, put together from what its nodes tell."""

from dataclasses import dataclass

from jobs.init.node import Listener, Node

_BOOTSTRAP_SERVERS = 3
"""A client learns the other brokers from any of them."""


@dataclass(frozen=True)
class Cluster:
    """The nodes of one cluster that were found, and what they tell about the cluster."""

    nodes: tuple[Node, ...]

    @property
    def zookeeper_connect(self) -> str | None:
        return next((node.zookeeper_connect for node in self.nodes if node.zookeeper_connect), None)

    @property
    def zookeeper_tls(self) -> dict[str, str] | None:
        """What Varve needs for TLS to ZooKeeper; None without TLS."""
        return next((node.zookeeper_tls for node in self.nodes if node.zookeeper_tls is not None), None)

    @property
    def controllers(self) -> str | None:
        """The servers of its KRaft quorum."""
        return next((node.controllers for node in self.nodes if node.controllers), None)

    @property
    def has_controllers_only(self) -> bool:
        return bool(self.nodes) and all(node.is_controller for node in self.nodes)

    @property
    def listeners(self) -> list[Listener]:
        """Where some of the brokers can be reached, all by one protocol."""
        known = [node.listener for node in self.nodes if node.listener]
        return [each for each in known if each.protocol == known[0].protocol][:_BOOTSTRAP_SERVERS]

    @property
    def tls(self) -> dict[str, str]:
        """What Varve needs for TLS to the brokers: their authorities, or nothing where the system knows them."""
        return next((node.tls for node in self.nodes if node.tls), {})

    @property
    def with_log_dirs(self) -> list[Node]:
        return [node for node in self.nodes if node.log_dirs and node.node_id is not None]

    @property
    def log_dirs_here(self) -> bool:
        return any(node.is_here for node in self.with_log_dirs)
