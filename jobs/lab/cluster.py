"""What ZooKeeper-mode and KRaft-mode clusters of the lab have in common."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from jobs.lab.jvm import Jvm, LabError, wait_until
from jobs.lab.node import Node
from jobs.lab.topics import live_brokers, out_of_sync

START_TIMEOUT_S = 120
SETTLE_TIMEOUT_S = 60


class KafkaCluster(ABC):
    """A real cluster on 127.0.0.1. Use it in a `with`: at its end all processes end, also after an error."""

    def __init__(self, version: str) -> None:
        self.version = version
        self.brokers: dict[int, Node] = {}

    @abstractmethod
    def start(self) -> None:
        """Start every node and wait until the whole cluster answers."""

    @abstractmethod
    def settings(self, name: str) -> dict[str, Any]:
        """This cluster's entry in varve.yaml, under that name."""

    @property
    @abstractmethod
    def servers(self) -> list[Jvm]:
        """Every process of the cluster, running or not."""

    @property
    def bootstrap_servers(self) -> str:
        return ",".join(node.address for node in self.brokers.values())

    def log_dirs(self, node_id: int) -> list[Path]:
        """The log dirs of a node."""
        return self._node(node_id).files.log_dirs

    def kill_broker(self, broker_id: int) -> None:
        """End a broker as a power cut would, and wait until the cluster has noticed."""
        self._node(broker_id).jvm.kill()
        self.wait_for_brokers(self._running())

    def stop_broker(self, broker_id: int) -> None:
        """Shut a broker down properly, and wait until the cluster has noticed."""
        self._node(broker_id).jvm.stop()
        self.wait_for_brokers(self._running())

    def start_broker(self, broker_id: int) -> None:
        """Start a broker again with the log dirs it had, and wait until the cluster has it back."""
        self._node(broker_id).jvm.start()
        self.wait_for_brokers(self._running())

    def wait_for_brokers(self, broker_ids: Iterable[int]) -> None:
        """Wait until every living broker knows exactly these brokers and every leader is one of them."""
        expected = set(broker_ids)
        nodes = [self.brokers[broker_id] for broker_id in expected]

        def settled() -> bool:
            return all(node.answers() for node in nodes) and all(
                live_brokers(node.address) == expected for node in nodes
            )

        what = f"brokers {sorted(expected)} to be the living ones"
        wait_until(what, settled, [node.jvm for node in nodes], START_TIMEOUT_S)

    def wait_until_in_sync(self, timeout_s: float = SETTLE_TIMEOUT_S) -> None:
        """Wait until every replica of every topic is in its ISR. Raises LabError naming those that are not."""
        servers = [node.jvm for node in self.brokers.values()]
        wait_until(
            "all replicas to be in sync", lambda: not out_of_sync(self.bootstrap_servers), servers, timeout_s
        )

    def __enter__(self) -> Self:
        try:
            self.start()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End every process at once."""
        for server in self.servers:
            server.kill()

    def _running(self) -> list[int]:
        return [broker_id for broker_id, node in self.brokers.items() if node.jvm.running]

    def _node(self, node_id: int) -> Node:
        if node_id not in self.brokers:
            raise LabError(f"There is no broker {node_id}; there are {sorted(self.brokers)}")
        return self.brokers[node_id]

    def _log_dir_settings(self, nodes: Iterable[Node]) -> list[dict[str, Any]]:
        return [
            {"broker": node.node_id, "local": [str(path) for path in node.files.log_dirs]} for node in nodes
        ]
