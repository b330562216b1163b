"""Finds the clusters around this machine: in files, from running brokers, at the usual ports."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from jobs.errors import UsageError
from jobs.init.ask import brokers_of, clusters_in_zookeeper, listens
from jobs.init.cluster import Cluster
from jobs.init.files import USUAL_PLACES, files_of_processes, read_node
from jobs.init.node import Node


@dataclass(frozen=True)
class Machine:
    """Where to look on this machine when no file is given."""

    processes: Path = Path("/proc")
    files: Sequence[str] = USUAL_PLACES
    kafka: str = "localhost:9092"
    zookeeper: str = "localhost:2181"


@dataclass(frozen=True)
class Surroundings:
    """The clusters that were found, and a line for each thing that was found or is missing."""

    clusters: tuple[Cluster, ...]
    found: tuple[str, ...]


def look_around(files: Sequence[Path] = (), machine: Machine = Machine()) -> Surroundings:
    """What these `server.properties` name; without files, what runs on this machine or answers at its usual ports.

    Raises UsageError when one of the files cannot be read or is not Kafka's.
    """
    configured = [(path, read_node(path)) for path in files]
    found: list[str] = []
    if not files:
        configured, found = _configured_here(machine)
    if configured:
        found = [*(f"{path}: {_name(node)}" for path, node in configured), *found]
        clusters = _by_cluster(node for _, node in configured)
    elif brokers := brokers_of(machine.kafka):
        return Surroundings((Cluster(tuple(brokers)),), (*found, _answer(machine.kafka, brokers)))
    else:
        clusters, told = _in_zookeeper(machine.zookeeper)
        found += [*told, *_silent(machine.kafka, "broker")]
    completed = [_completed(cluster) for cluster in clusters]
    found += [line for _, told in completed for line in told]
    return Surroundings(tuple(cluster for cluster, _ in completed), tuple(found))


def _configured_here(machine: Machine) -> tuple[list[tuple[Path, Node]], list[str]]:
    """The nodes that run on this machine, or else those at the usual places; and the files that cannot be read.

    At the usual places Kafka also leaves files for nodes that never ran.
    """
    running, unreadable = _read_each(files_of_processes(machine.processes))
    if running:
        return running, unreadable
    configured, more = _read_each(path for path in map(Path, machine.files) if path.is_file())
    return [(path, node) for path, node in configured if node.is_here], [*unreadable, *more]


def _read_each(paths: Iterable[Path]) -> tuple[list[tuple[Path, Node]], list[str]]:
    read, unreadable = [], []
    for path in paths:
        try:
            read.append((path, read_node(path)))
        except UsageError as error:
            unreadable.append(str(error))
    return read, unreadable


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
        return [f"something at {address} that does not answer as a {what} without a login or TLS"]
    return [f"no {what} at {address}"]


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
