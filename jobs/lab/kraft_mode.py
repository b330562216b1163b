"""KRaft controllers and brokers, with a dynamic quorum where the version has one (3.9 and newer)."""

import base64
import uuid
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from jobs.lab.cluster import START_TIMEOUT_S, KafkaCluster
from jobs.lab.distribution import (
    KAFKA_VERSION,
    add_controller,
    has_dynamic_quorum,
    kafka_jars,
    remove_controller,
)
from jobs.lab.jvm import Jvm, LabError, run_tool, wait_until
from jobs.lab.node import QUICK, Node, node_files, replication
from jobs.lab.ports import free_port
from jobs.lab.topics import quorum_members

FIRST_CONTROLLER = 101


class KRaftCluster(KafkaCluster):
    """Controllers 101, 102 … and brokers 1, 2 …, each in a process of its own.

    Only the first controller of a dynamic quorum is a voter at first, the others are observers. Of a quorum that is not
    dynamic, by controller.quorum.voters or because the version knows no other, all controllers are voters.
    """

    def __init__(
        self,
        directory: Path,
        controllers: int = 1,
        brokers: int = 2,
        version: str = KAFKA_VERSION,
        log_dirs: int = 1,
        dynamic: bool = True,
    ) -> None:
        super().__init__(version)
        self._is_dynamic = dynamic and has_dynamic_quorum(version)
        self.controllers: dict[int, Node] = {}
        self.cluster_id = _random_id()
        self._directory = directory
        for node_id in range(FIRST_CONTROLLER, FIRST_CONTROLLER + controllers):
            self._new_controller(node_id)
        for node_id in range(1, brokers + 1):
            files = node_files(directory, f"broker-{node_id}", log_dirs)
            self.brokers[node_id] = Node(node_id, files, free_port(), version)

    @property
    def bootstrap_controllers(self) -> str:
        return ",".join(node.address for node in self.controllers.values())

    @property
    def servers(self) -> list[Jvm]:
        return [node.jvm for node in [*self.brokers.values(), *self.controllers.values()]]

    def start(self) -> None:
        """Start everything and wait until all brokers answer and know each other."""
        with ThreadPoolExecutor() as pool:
            list(pool.map(self._format_and_start, [*self.controllers.values(), *self.brokers.values()]))
        for node in self.controllers.values():
            wait_until(f"controller {node.node_id}", node.answers, [node.jvm], START_TIMEOUT_S)
        self.wait_for_brokers(self.brokers)

    def start_controller(self, node_id: int) -> None:
        """Start one more controller (3.9 and newer), or a stopped one again, and wait until the quorum lists it."""
        if node_id in self.controllers:
            self.controllers[node_id].jvm.start()
        else:
            self._format_and_start(self._new_controller(node_id))
        node = self.controllers[node_id]
        self._wait_for_member(node, ("observer", "voter"))

    def add_controller(self, node_id: int) -> None:
        """Make an observing controller a voter, with Kafka's own tool."""
        node = self._node(node_id)
        others = [other.address for other in self.controllers.values() if other is not node]
        add_controller(self.version, ",".join(others), node.files.properties)
        self._wait_for_member(node, ("voter",))

    def remove_controller(self, node_id: int) -> None:
        """Make a voter an observer, with Kafka's own tool."""
        node = self._node(node_id)
        others = [other.address for other in self.controllers.values() if other is not node]
        remove_controller(self.version, ",".join(others), node_id, self.directory_id(node_id))
        self._wait_for_member(node, ("observer",))

    def directory_id(self, node_id: int) -> str:
        """The directory id in meta.properties of a node's first log dir."""
        lines = (self.log_dirs(node_id)[0] / "meta.properties").read_text(encoding="utf-8").splitlines()
        return next(line.partition("=")[2] for line in lines if line.startswith("directory.id="))

    def stop_controller(self, node_id: int) -> None:
        """Shut a controller down properly. Of two voters neither may stop: the majority would be gone."""
        self._node(node_id).jvm.stop()

    def settings(self, name: str) -> dict[str, Any]:
        return {
            "name": name,
            "kafka": {"bootstrap_servers": self.bootstrap_servers},
            "log_dirs": self._log_dir_settings([*self.brokers.values(), *self.controllers.values()]),
        }

    def _wait_for_member(self, node: Node, roles: tuple[str, ...]) -> None:
        def listed() -> bool:
            # The quorum goes on listing a member that was stopped.
            return node.answers() and quorum_members(self.bootstrap_servers).get(node.node_id) in roles

        wait_until(f"node {node.node_id} to be {' or '.join(roles)}", listed, [node.jvm], START_TIMEOUT_S)

    def _new_controller(self, node_id: int) -> Node:
        files = node_files(self._directory, f"controller-{node_id}", 1)
        self.controllers[node_id] = Node(node_id, files, free_port(), self.version)
        return self.controllers[node_id]

    def _node(self, node_id: int) -> Node:
        nodes = {**self.brokers, **self.controllers}
        if node_id not in nodes:
            raise LabError(f"There is no node {node_id}; there are {sorted(nodes)}")
        return nodes[node_id]

    def _format_and_start(self, node: Node) -> None:
        node.configure(self._properties(node))
        arguments = ["format", "--cluster-id", self.cluster_id, "--config", str(node.files.properties)]
        if self._is_dynamic:
            is_first = node.node_id == FIRST_CONTROLLER
            arguments.append("--standalone" if is_first else "--no-initial-controllers")
        run_tool(kafka_jars(self.version), "kafka.tools.StorageTool", *arguments)
        node.jvm.start()

    def _properties(self, node: Node) -> dict[str, str]:
        is_controller = node.node_id in self.controllers
        listener = "CONTROLLER" if is_controller else "PLAINTEXT"
        return {
            **QUICK,
            **replication(len(self.brokers)),
            **self._quorum_properties(),
            "broker.heartbeat.interval.ms": "1000",
            "broker.session.timeout.ms": "6000",
            "controller.listener.names": "CONTROLLER",
            "listener.security.protocol.map": "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT",
            "listeners": f"{listener}://{node.address}",
            "node.id": str(node.node_id),
            "process.roles": "controller" if is_controller else "broker",
        }

    def _quorum_properties(self) -> dict[str, str]:
        if self._is_dynamic:
            return {"controller.quorum.bootstrap.servers": self.bootstrap_controllers}
        voters = [f"{node.node_id}@{node.address}" for node in self.controllers.values()]
        return {"controller.quorum.voters": ",".join(voters)}


def _random_id() -> str:
    """An id as Kafka's Uuid.randomUuid makes it: 22 characters, the first of which is no dash."""
    while (text := base64.urlsafe_b64encode(uuid.uuid4().bytes).decode().rstrip("=")).startswith("-"):
        pass
    return text
