"""Puts together what files, brokers and ZooKeeper tell into the clusters around this machine."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from jobs.errors import UsageError
from jobs.init.ask import brokers_of, clusters_in_zookeeper, listens
from jobs.init.files import files_of_processes, nodes_at_usual_places, read_node
from jobs.init.node import Listener, Node

KAFKA, ZOOKEEPER = "localhost:9092", "localhost:2181"
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
    def zookeeper_tls(self) -> bool:
        return any(node.zookeeper_tls for node in self.nodes)

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
        """What Varve needs to trust the brokers: their authorities, or nothing where the system knows them."""
        return next(({"ca": node.ca} for node in self.nodes if node.ca), {})

    @property
    def with_log_dirs(self) -> list[Node]:
        return [node for node in self.nodes if node.log_dirs and node.node_id is not None]

    @property
    def log_dirs_here(self) -> bool:
        return any(node.is_here for node in self.with_log_dirs)


@dataclass(frozen=True)
class Surroundings:
    """The clusters, and in words what was found where and what was not."""

    clusters: tuple[Cluster, ...]
    found: tuple[str, ...]


def look_around(
    files: Sequence[Path] = (),
    kafka: str = KAFKA,
    zookeeper: str = ZOOKEEPER,
    processes: Path = Path("/proc"),
) -> Surroundings:
    """What these `server.properties` name; without files, what runs on this machine or answers at its usual ports.

    Raises UsageError when one of the files cannot be read or is not Kafka's.
    """
    configured = [(path, read_node(path)) for path in files]
    found: list[str] = []
    if not files:
        configured, found = _configured_here(processes)
    if configured:
        found = [*(f"{path}: {_name(node)}" for path, node in configured), *found]
        clusters = _by_cluster(node for _, node in configured)
    elif brokers := brokers_of(kafka):
        return Surroundings((Cluster(tuple(brokers)),), (*found, _answer(kafka, brokers)))
    else:
        clusters, told = _in_zookeeper(zookeeper)
        found += [*told, *_silent(kafka, "broker")]
    completed = [_completed(cluster) for cluster in clusters]
    return Surroundings(
        tuple(cluster for cluster, _ in completed),
        (*found, *(line for _, told in completed for line in told)),
    )


def _configured_here(processes: Path) -> tuple[list[tuple[Path, Node]], list[str]]:
    """The nodes that run on this machine, or else those at the usual places; and the files that cannot be read."""
    running, unreadable = [], []
    for path in files_of_processes(processes):
        try:
            running.append((path, read_node(path)))
        except UsageError as error:
            unreadable.append(str(error))
    return running or nodes_at_usual_places(), unreadable


def _by_cluster(nodes: Iterable[Node]) -> list[Cluster]:
    """The nodes of one cluster name the same servers, in any order."""
    clusters: dict[object, list[Node]] = {}
    for node in nodes:
        hosts, _, chroot = (node.zookeeper_connect or node.controllers or "").partition("/")
        servers = frozenset(host.strip() for host in hosts.split(","))
        clusters.setdefault((servers, chroot.strip("/")), []).append(node)
    return [Cluster(tuple(alike)) for alike in clusters.values()]


def _in_zookeeper(server: str) -> tuple[list[Cluster], list[str]]:
    chroots = clusters_in_zookeeper(server)
    found = [f"ZooKeeper at {server}{chroot}: {_ids(nodes)}" for chroot, nodes in chroots.items()]
    return [Cluster(tuple(nodes)) for nodes in chroots.values()], found or _silent(server, "ZooKeeper server")


def _silent(address: str, what: str) -> list[str]:
    if listens(address):
        return [f"{address}: something listens, but as a {what} it tells nothing without a login or TLS"]
    return [f"{address}: no {what}"]


def _completed(cluster: Cluster) -> tuple[Cluster, list[str]]:
    """With what one of its brokers tells: the other brokers, and where their log dirs are."""
    for node in cluster.nodes:
        if node.listener and node.listener.protocol == "PLAINTEXT":
            address = node.listener.address
            if brokers := brokers_of(address):
                return Cluster(_together(cluster.nodes, brokers)), [_answer(address, brokers)]
    return cluster, []


def _together(nodes: Sequence[Node], told: Sequence[Node]) -> tuple[Node, ...]:
    """Each node once. A file knows more than a broker tells, a broker more than its registration in ZooKeeper."""
    by_id = {node.node_id: node for node in told}
    by_id |= {node.node_id: node for node in nodes if node.log_dirs or node.node_id not in by_id}
    return tuple(sorted(by_id.values(), key=lambda node: node.node_id or 0))


def _answer(address: str, brokers: Sequence[Node]) -> str:
    return f"Kafka at {address}: {_ids(brokers)}"


def _ids(nodes: Sequence[Node]) -> str:
    return "brokers " + ", ".join(str(node.node_id) for node in nodes) if nodes else "no broker"


def _name(node: Node) -> str:
    what = "controller" if node.is_controller else "broker"
    return f"{what} {'?' if node.node_id is None else node.node_id}"
