"""Asks a broker or a ZooKeeper server, without a login and TLS, which Kafka nodes there are."""

import json
import socket
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from typing import Any

from kafka.errors import KafkaError

from jobs.errors import VarveError
from jobs.init.node import Listener, Node, node_of
from jobs.sources.kafka.configs import BROKER, describe_configs
from jobs.sources.kafka.connection.client import BROKERS_AT_ONCE, KafkaClient
from jobs.sources.kafka.connection.identity import Identity
from jobs.sources.kafka.connection.servers import Servers
from jobs.sources.zookeeper.connection.reading import Read
from jobs.sources.zookeeper.connection.session import over_one_session
from jobs.sources.zookeeper.connection.wire import CHILDREN, DATA, Operation
from jobs.sources.zookeeper.settings import Settings as ZooKeeperSettings

_TIMEOUT_S = 5


def listens(address: str) -> bool:
    """Whether something listens at `host:port`."""
    host, _, port = address.rpartition(":")
    try:
        socket.create_connection((host.strip("[]"), int(port)), _TIMEOUT_S).close()
    except OSError:
        return False
    return True


def brokers_of(address: str) -> list[Node]:
    """The brokers of the cluster that the broker at `address` belongs to; none when it does not tell."""
    if not listens(address):
        return []
    with Servers([address], Identity(None, None), _TIMEOUT_S) as servers:
        client = KafkaClient(servers)
        try:
            brokers = sorted(client.cluster()["brokers"], key=lambda broker: int(broker["broker_id"]))
        except KafkaError:
            return []
        with ThreadPoolExecutor(BROKERS_AT_ONCE) as pool:
            return list(pool.map(partial(_broker, client), brokers))


def _broker(client: KafkaClient, broker: dict[str, Any]) -> Node:
    broker_id = str(broker["broker_id"])
    try:
        (told,) = describe_configs(client, BROKER, [broker_id], int(broker_id))
        properties = {each["name"]: each["value"] for each in told["configs"] if each["value"]}
    except KafkaError:
        properties = {}
    node = node_of({**properties, "node.id": broker_id}, is_file_here=False)
    return replace(node, listener=Listener(f"{broker['host']}:{broker['port']}"))


def clusters_in_zookeeper(server: str) -> dict[str, list[Node]]:
    """The registered brokers of each cluster, by its chroot: the root and the znodes directly below it.

    Empty when there is no cluster, or when the server does not tell.
    """
    if not listens(server):
        return {}
    settings = ZooKeeperSettings(connect=server, timeout_s=_TIMEOUT_S)
    try:
        return over_one_session(settings, lambda _session, read: _clusters(server, read))
    except VarveError:
        return {}


def _clusters(server: str, read: Read) -> dict[str, list[Node]]:
    (names,) = read([Operation(CHILDREN, "/")])
    chroots = ["", *(f"/{name}" for name in names)] if isinstance(names, list) else [""]
    registered = zip(
        chroots, read([Operation(CHILDREN, f"{chroot}/brokers/ids") for chroot in chroots]), strict=True
    )
    return {
        chroot: _registrations(
            server + chroot, [f"{chroot}/brokers/ids/{broker_id}" for broker_id in ids], read
        )
        for chroot, ids in registered
        if isinstance(ids, list)
    }


def _registrations(connect: str, paths: Sequence[str], read: Read) -> list[Node]:
    replies = read([Operation(DATA, path) for path in paths])
    return [
        _registered(connect, path.rpartition("/")[2], reply[0])
        for path, reply in zip(paths, replies, strict=True)
        if isinstance(reply, tuple)
    ]


def _registered(connect: str, broker_id: str, data: bytes | None) -> Node:
    """What a broker's znode tells (`kafka.zk.BrokerIdZNode`): nothing where it is malformed."""
    properties = {"node.id": broker_id, "zookeeper.connect": connect}
    try:
        told = json.loads(data or b"")
        protocols = [
            f"{name}:{protocol}" for name, protocol in told["listener_security_protocol_map"].items()
        ]
        properties |= {
            "listeners": ",".join(told["endpoints"]),
            "listener.security.protocol.map": ",".join(protocols),
        }
    except (ValueError, KeyError, TypeError, AttributeError):
        properties["listeners"] = "unknown"
    return node_of(properties, is_file_here=False)
