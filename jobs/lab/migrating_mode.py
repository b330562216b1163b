"""A ZooKeeper-mode cluster that migrates to KRaft step by step, as Kafka's documentation describes it (KIP-866)."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from jobs.lab.cluster import SETTLE_TIMEOUT_S, START_TIMEOUT_S
from jobs.lab.distribution import KAFKA_VERSION, kafka_jars
from jobs.lab.jvm import Jvm, run_tool, wait_until
from jobs.lab.kraft_mode import FIRST_CONTROLLER
from jobs.lab.node import QUICK, Node, node_files
from jobs.lab.ports import free_port
from jobs.lab.zookeeper_mode import ZooKeeperCluster

_MIGRATES = {"zookeeper.metadata.migration.enable": "true"}


class MigratingCluster(ZooKeeperCluster):
    """Brokers 1, 2 … in ZooKeeper mode at first, and KRaft controllers 101, 102 … once they are started.

    The steps, in this order: `start_controllers`, `let_brokers_migrate`, `take_brokers_to_kraft`, `finish`.
    """

    def __init__(
        self,
        directory: Path,
        brokers: int = 3,
        controllers: int = 1,
        chroot: str = "/kafka_cluster_01",
        version: str = KAFKA_VERSION,
    ) -> None:
        super().__init__(directory, brokers, chroot, version)
        self.controllers = {
            node_id: Node(node_id, node_files(directory, f"controller-{node_id}", 1), free_port(), version)
            for node_id in range(FIRST_CONTROLLER, FIRST_CONTROLLER + controllers)
        }

    @property
    def bootstrap_controllers(self) -> str:
        return ",".join(node.address for node in self.controllers.values())

    @property
    def servers(self) -> list[Jvm]:
        return [*super().servers, *(node.jvm for node in self.controllers.values())]

    def start_controllers(self) -> None:
        """Start controllers that are ready to migrate; brokers rule until all of them are ready, too."""
        cluster_id = (self._document("/cluster/id") or {})["id"]
        for node in self.controllers.values():
            node.configure(self._of_controller(node) | _MIGRATES | self._zookeeper())
            arguments = ["format", "--cluster-id", cluster_id, "--config", str(node.files.properties)]
            run_tool(kafka_jars(self.version), "kafka.tools.StorageTool", *arguments)
            node.jvm.start()
        self._wait_for("the controllers", lambda: self._document("/migration") is not None)

    def let_brokers_migrate(self) -> None:
        """Restart each broker so that it may migrate, and wait until KRaft rules and all is copied."""
        for node in self.brokers.values():
            self._restart(node, self._properties(node) | self._quorum() | _MIGRATES)
        self._wait_for("the copy to KRaft", self.writes_both)

    def take_brokers_to_kraft(self) -> None:
        """Restart each broker in KRaft mode; the controllers go on writing to ZooKeeper what they write."""
        for node in self.brokers.values():
            self._restart(node, self._of_kraft_broker(node))

    def restart_controller(self, node_id: int) -> None:
        """Stop a controller properly and start it as it was."""
        node = self.controllers[node_id]
        node.jvm.stop()
        node.jvm.start()
        wait_until(f"controller {node_id}", node.answers, [node.jvm], START_TIMEOUT_S)

    def finish(self) -> None:
        """Restart the controllers without ZooKeeper, which nobody writes to from then on."""
        for node in self.controllers.values():
            node.configure(self._of_controller(node))
            self.restart_controller(node.node_id)

    def writes_both(self) -> bool:
        """Every change is written to KRaft and then to ZooKeeper."""
        rules = (self._document("/controller") or {}).get("kraftControllerEpoch", -1) >= 0
        is_copied = (self._document("/migration") or {}).get("kraft_metadata_offset", -1) > 0
        return bool(rules and is_copied)

    def _document(self, path: str) -> dict[str, Any] | None:
        """What a znode holds; None where it is not there."""
        with self.client() as client:
            if client.exists(path) is None:
                return None
            found: dict[str, Any] = json.loads(client.get(path)[0])
            return found

    def settings(self, name: str) -> dict[str, Any]:
        found = super().settings(name)
        if any(node.jvm.running for node in self.controllers.values()):
            found["kafka"]["bootstrap_controllers"] = self.bootstrap_controllers
        return found

    def _restart(self, broker: Node, properties: dict[str, str]) -> None:
        broker.configure(properties)
        broker.jvm.stop()
        self.start_broker(broker.node_id)
        self.wait_until_in_sync()

    def _wait_for(self, what: str, condition: Callable[[], bool]) -> None:
        wait_until(what, condition, self._running_servers(), SETTLE_TIMEOUT_S)

    def _zookeeper(self) -> dict[str, str]:
        return {"zookeeper.connect": self.zookeeper_connect}

    def _quorum(self) -> dict[str, str]:
        voters = (f"{node.node_id}@{node.address}" for node in self.controllers.values())
        return {
            "controller.listener.names": "CONTROLLER",
            "controller.quorum.voters": ",".join(voters),
            "listener.security.protocol.map": "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT",
        }

    def _of_controller(self, node: Node) -> dict[str, str]:
        return {
            **QUICK,
            **self._quorum(),
            "listeners": f"CONTROLLER://{node.address}",
            "node.id": str(node.node_id),
            "process.roles": "controller",
        }

    def _of_kraft_broker(self, node: Node) -> dict[str, str]:
        kept = {
            name: value
            for name, value in self._properties(node).items()
            if name != "broker.id" and not name.startswith("zookeeper.")
        }
        return {**kept, **self._quorum(), "node.id": str(node.node_id), "process.roles": "broker"}
