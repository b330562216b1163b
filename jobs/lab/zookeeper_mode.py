"""A ZooKeeper server and ZooKeeper-mode brokers under a chroot."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from kazoo.client import KazooClient
from kazoo.exceptions import NoNodeError

from jobs.lab.cluster import START_TIMEOUT_S, KafkaCluster
from jobs.lab.distribution import KAFKA_VERSION, kafka_jars
from jobs.lab.jvm import Jvm, LabError, java_command, wait_until
from jobs.lab.node import QUICK, Node, node_files, replication
from jobs.lab.ports import HOST, free_port, zookeeper_answers

_SESSION_TIMEOUT_MS = 6_000


class ZooKeeperServer:
    """One standalone ZooKeeper server."""

    def __init__(self, directory: Path, version: str) -> None:
        self.port = free_port()
        self._folder = directory.resolve() / "zookeeper"
        config = self._folder / "zoo.cfg"
        main = "org.apache.zookeeper.server.ZooKeeperServerMain"
        self.jvm = Jvm(
            "zookeeper", java_command(kafka_jars(version), main, str(config)), self._folder / "server.log"
        )
        self._config = config

    @property
    def address(self) -> str:
        return f"{HOST}:{self.port}"

    def start(self) -> None:
        """Start it; it is not yet ready then."""
        self._folder.mkdir(parents=True, exist_ok=True)
        settings = {
            "dataDir": str(self._folder / "data"),
            "clientPort": str(self.port),
            "clientPortAddress": HOST,
            "tickTime": "500",
            "maxSessionTimeout": "600000",
            "maxClientCnxns": "0",
            "admin.enableServer": "false",
        }
        self._config.write_text(
            "".join(f"{key}={value}\n" for key, value in settings.items()), encoding="utf-8"
        )
        self.jvm.start()

    def answers(self) -> bool:
        """It serves clients."""
        return zookeeper_answers(self.port)


class ZooKeeperCluster(KafkaCluster):
    """A ZooKeeper server and brokers 1 to `brokers`, each with `log_dirs` log dirs and a rack of its own."""

    def __init__(
        self,
        directory: Path,
        brokers: int = 3,
        chroot: str = "/kafka_cluster_01",
        version: str = KAFKA_VERSION,
        log_dirs: int = 2,
    ) -> None:
        super().__init__(version)
        self.zookeeper = ZooKeeperServer(directory, version)
        self._chroot = chroot
        for broker_id in range(1, brokers + 1):
            files = node_files(directory, f"broker-{broker_id}", log_dirs)
            self.brokers[broker_id] = Node(broker_id, files, free_port(), version)

    @property
    def zookeeper_connect(self) -> str:
        """Kafka's zookeeper.connect, the chroot included."""
        return self.zookeeper.address + self._chroot

    @property
    def servers(self) -> list[Jvm]:
        return [*(node.jvm for node in self.brokers.values()), self.zookeeper.jvm]

    def start(self) -> None:
        """Start everything at once and wait until all brokers answer and know each other."""
        self.zookeeper.start()
        wait_until("ZooKeeper", self.zookeeper.answers, [self.zookeeper.jvm], START_TIMEOUT_S)
        for node in self.brokers.values():
            node.configure(self._properties(node))
            node.jvm.start()
        self.wait_for_brokers(self.brokers)

    def delete_controller(self) -> None:
        """Delete `/controller`, so that the brokers elect a new one, and wait until it has given every topic an id.

        Raises LabError when nobody is elected before.
        """
        with self.client() as client:
            before = client.get("/controller_epoch")[0]
            with _is_elected():
                client.delete("/controller")

            def elected() -> bool:
                is_elected = client.exists("/controller") is not None
                return is_elected and client.get("/controller_epoch")[0] != before and _all_have_ids(client)

            wait_until("a new controller", elected, self._running_servers(), START_TIMEOUT_S)

    def move_controller(self, *broker_ids: int) -> int:
        """Have brokers elected until it is one of these; which one. All compete for `/controller`, so it may take some turns."""

        def moved() -> bool:
            if self.controller_id() not in broker_ids:
                self.delete_controller()
            return self.controller_id() in broker_ids

        what = f"one of the brokers {broker_ids} to be the controller"
        wait_until(what, moved, self._running_servers(), START_TIMEOUT_S)
        return self.controller_id()

    def topic_id(self, topic: str) -> str | None:
        """The id in the topic's znode, or None where it has none."""
        with self.client() as client:
            return _topic_id(client, topic)

    def controller_id(self) -> int:
        """The broker that `/controller` names. Raises LabError while nobody is elected."""
        with self.client() as client, _is_elected():
            return int(json.loads(client.get("/controller")[0])["brokerid"])

    @contextmanager
    def client(self) -> Iterator[KazooClient]:
        """A connected client whose root is the chroot."""
        client = KazooClient(hosts=self.zookeeper_connect)
        try:
            client.start(timeout=START_TIMEOUT_S)
            yield client
        finally:
            client.stop()
            client.close()

    def settings(self, name: str) -> dict[str, Any]:
        return {
            "name": name,
            "zookeeper": {"connect": self.zookeeper_connect},
            "kafka": {"bootstrap_servers": self.bootstrap_servers},
            "log_dirs": self._log_dir_settings(self.brokers.values()),
        }

    def _running_servers(self) -> list[Jvm]:
        return [server for server in self.servers if server.running]

    def _properties(self, node: Node) -> dict[str, str]:
        return {
            **QUICK,
            **replication(len(self.brokers)),
            "broker.id": str(node.node_id),
            "broker.rack": f"rack-{node.node_id}",
            "listeners": f"PLAINTEXT://{node.address}",
            "zookeeper.connect": self.zookeeper_connect,
            "zookeeper.session.timeout.ms": str(_SESSION_TIMEOUT_MS),
        }


@contextmanager
def _is_elected() -> Iterator[None]:
    """A `/controller` that is missing becomes a LabError."""
    try:
        yield
    except NoNodeError as error:
        raise LabError("Nobody is elected: there is no /controller") from error


def _topic_id(client: KazooClient, topic: str) -> str | None:
    found: str | None = json.loads(client.get(f"/brokers/topics/{topic}")[0]).get("topic_id")
    return found


def _all_have_ids(client: KazooClient) -> bool:
    return all(_topic_id(client, topic) for topic in client.get_children("/brokers/topics"))
