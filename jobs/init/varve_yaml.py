"""Writes a `varve.yaml` that sets what was found and shows everything else commented out, with a line about each."""

import json
import re
from collections.abc import Iterator, Sequence

from jobs.init.clusters import Cluster
from jobs.init.node import Listener, Node

_BOOTSTRAP_SERVERS = 3
"""As many are written at most: a client learns the others from any of them."""
_HEAD = """\
# Written by `varve init`. What it found is set, everything else is commented out. `varve doctor` tries what is set.
# No secret is written here: `${NAME}` is the environment variable that holds it.
"""
Line = tuple[str, str, bool]
"""A setting, what it is about, and whether it is set or commented out."""


def varve_yaml(clusters: Sequence[Cluster], name: str | None = None) -> str:
    """The text of the file. `name` is for the first cluster; the others get theirs from their chroots."""
    lines: list[Line] = [
        ("lake: ./lake", "the folder that keeps the history, relative to this file", True),
        (
            "fingerprint_key: ${VARVE_FINGERPRINT_KEY}",
            "with it a snapshot shows that a secret changed, never the secret",
            False,
        ),
    ]
    text = [_HEAD, *map(_written, lines), "", "clusters:"]
    names: list[str] = []
    for cluster in clusters or [Cluster(())]:
        names.append(_unused(name if name and not names else _name(cluster), names))
        text.append(
            "\n\n".join("\n".join(map(_written, section)) for section in _sections(names[-1], cluster))
        )
    return "\n".join(text) + "\n"


def secrets(text: str) -> list[str]:
    """The environment variables that the settings of such a text need."""
    settings = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    return re.findall(r"\$\{(\w+)\}", "\n".join(settings))


def _sections(name: str, cluster: Cluster) -> Iterator[list[Line]]:
    yield [
        (f"  - name: {name}", "of a-z, 0-9, - and _; with another name the history begins anew", True),
        ('    schedule: "*/10 * * * *"', "when Airflow takes a snapshot: a cron expression, UTC", False),
    ]
    yield list(_zookeeper(cluster.zookeeper))
    yield list(_kafka(cluster))
    yield list(_log_dirs(cluster.nodes))


def _zookeeper(node: Node | None) -> Iterator[Line]:
    connect = (node and node.zookeeper_connect) or "zk1:2181,zk2:2181/kafka_cluster_01"
    with_tls = bool(node and node.zookeeper_tls)
    login = '{scheme: sasl, user: varve, password: "${ZOOKEEPER_PASSWORD}"}'
    yield "    zookeeper:", "the ZooKeeper tree; a KRaft cluster has none", bool(node)
    yield (
        f"      connect: {json.dumps(connect)}",
        "the brokers' zookeeper.connect, with its chroot",
        bool(node),
    )
    yield f"      auth: {login}", "or scheme digest; {scheme: gssapi} uses a Kerberos ticket", False
    yield (
        f"      tls: {_tls(node, with_tls)}",
        "PEM files; certificate, key and key_password where the servers ask",
        with_tls,
    )
    yield "      subtrees: [/brokers, /config/topics]", "read only these paths below the chroot", False
    yield "      max_reads_per_second: 20000", "spares the servers", False
    yield "      timeout_s: 10", "of a session", False


def _kafka(cluster: Cluster) -> Iterator[Line]:
    listeners = _easiest(cluster.nodes)
    only_controllers = bool(cluster.controllers) and not listeners
    is_known = bool(listeners) or only_controllers or not cluster.zookeeper
    servers = ",".join(listener.address for listener in listeners) or "localhost:9092"
    controllers = cluster.controllers or "c1:9093,c2:9093,c3:9093"
    protocol, mechanism = (listeners[0].protocol, listeners[0].mechanism) if listeners else ("", None)
    login = f'{{mechanism: {mechanism or "SCRAM-SHA-512"}, user: varve, password: "${{KAFKA_PASSWORD}}"}}'
    with_tls = protocol.endswith("SSL")
    node = next((node for node in cluster.nodes if node.ca), None)
    yield "    kafka:", "the Admin API, and the quorum of a KRaft cluster", is_known
    yield (
        f"      bootstrap_servers: {json.dumps(servers)}",
        "some of the brokers",
        is_known and not only_controllers,
    )
    yield (
        f"      bootstrap_controllers: {json.dumps(controllers)}",
        "asked for the quorum where no broker tells",
        only_controllers,
    )
    yield f"      auth: {login}", "SCRAM-SHA-512, SCRAM-SHA-256 or PLAIN", bool(mechanism)
    yield f"      tls: {_tls(node, with_tls)}", "PEM files; {} trusts the system's authorities", with_tls
    yield "      timeout_s: 15", "of each question", False


def _log_dirs(nodes: Sequence[Node]) -> Iterator[Line]:
    known = [node for node in nodes if node.log_dirs and node.node_id is not None]
    yield (
        "    log_dirs:",
        "the small files beside every partition, of each broker and controller",
        any(node.is_here for node in known),
    )
    for node in known:
        paths = json.dumps(node.log_dirs)
        if node.is_here:
            yield f"      - {{broker: {node.node_id}, local: {paths}}}", "read as files of this machine", True
        else:
            host = node.listener.address.rpartition(":")[0] if node.listener else f"broker-{node.node_id}"
            ssh = json.dumps(f"varve@{host}")
            yield (
                f"      - {{broker: {node.node_id}, ssh: {ssh}, paths: {paths}}}",
                "read over SFTP, with the keys of ssh",
                False,
            )
    if not known:
        yield "      - {broker: 1, local: [/var/kafka/d0]}", "read as files of this machine", False
        yield (
            '      - {broker: 2, ssh: "varve@b2", paths: [/var/kafka/d0]}',
            "read over SFTP, with the keys of ssh",
            False,
        )
    yield (
        "      - {broker: 3, exec: [kubectl, exec, kafka-3, --, varve-small-files], paths: [/var/kafka/d0]}",
        "a tar that a command prints",
        False,
    )
    yield (
        "      - {broker: 4, archive: /srv/broker-4.tar.gz, paths: [/var/kafka/d0]}",
        "a tar or a copied folder",
        False,
    )


def _easiest(nodes: Sequence[Node]) -> list[Listener]:
    """Some listeners of one protocol."""
    listeners = [node.listener for node in nodes if node.listener]
    return [each for each in listeners if each.protocol == listeners[0].protocol][:_BOOTSTRAP_SERVERS]


def _tls(node: Node | None, is_used: bool) -> str:
    if is_used:
        return f"{{ca: {json.dumps(node.ca)}}}" if node and node.ca else "{}"
    return "{ca: /etc/varve/ca.pem}"


def _name(cluster: Cluster) -> str:
    """The last part of the chroot as a name of a cluster, or `kafka`."""
    connect = cluster.zookeeper.zookeeper_connect if cluster.zookeeper else None
    chroot = (connect or "").partition("/")[2].strip("/").rpartition("/")[2]
    return re.sub(r"[^a-z0-9_-]", "-", chroot.lower()).strip("-_") or "kafka"


def _unused(name: str, names: Sequence[str]) -> str:
    return name if name not in names else f"{name}-{len(names) + 1}"


def _written(line: Line) -> str:
    text, why, is_set = line
    indent = text[: len(text) - len(text.lstrip())]
    return f"{text if is_set else f'{indent}# {text.lstrip()}'}  # {why}"
