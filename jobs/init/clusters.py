"""Puts together what files, brokers and ZooKeeper tell into the clusters around this machine."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from jobs.errors import UsageError
from jobs.init.ask import brokers_of, clusters_in_zookeeper, listens
from jobs.init.files import files_of_processes, nodes_at_usual_places, read_node
from jobs.init.node import Node

KAFKA, ZOOKEEPER = "localhost:9092", "localhost:2181"


@dataclass(frozen=True)
class Cluster:
    """The nodes of one cluster that were found."""

    nodes: tuple[Node, ...]

    @property
    def zookeeper(self) -> Node | None:
        """A node that says where the cluster's znodes are."""
        return next((node for node in self.nodes if node.zookeeper_connect), None)

    @property
    def controllers(self) -> str | None:
        """The servers of its KRaft quorum, as a node names them."""
        return next((node.controllers for node in self.nodes if node.controllers), None)


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
    """With the brokers that one of its brokers names."""
    open_ones = [
        node.listener for node in cluster.nodes if node.listener and node.listener.protocol == "PLAINTEXT"
    ]
    for listener in open_ones:
        if brokers := brokers_of(listener.address):
            known = {node.node_id: node for node in [*brokers, *cluster.nodes]}
            return Cluster(tuple(sorted(known.values(), key=lambda node: node.node_id or 0))), [
                _answer(listener.address, brokers)
            ]
    return cluster, []


def _answer(address: str, brokers: Sequence[Node]) -> str:
    return f"Kafka at {address}: {_ids(brokers)}"


def _ids(nodes: Sequence[Node]) -> str:
    return "brokers " + ", ".join(str(node.node_id) for node in nodes) if nodes else "no broker"


def _name(node: Node) -> str:
    what = "broker" if node.listener else "controller"
    return f"{what} {'?' if node.node_id is None else node.node_id}"
