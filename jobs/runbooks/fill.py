"""Fills a runbook in: what varve.yaml says of a cluster, and what a finding is about."""

import re
from collections.abc import Mapping
from shlex import quote

from jobs.checks.parts.runbook import PLACEHOLDERS
from jobs.settings import ClusterSettings
from jobs.sources.kafka.settings import Settings as KafkaSettings
from jobs.sources.log_dirs.settings import Settings as LogDirsSettings
from jobs.sources.zookeeper.settings import Settings as ZooKeeperSettings

_WORDS = re.compile(rf"\b({'|'.join(PLACEHOLDERS)})\b")
_ON_BROKER = re.compile(r"(?P<rest>.*) on broker (?P<node>\d+)")
_NODE = re.compile(r"(?:broker|node) (?P<node>\d+)")
_PARTITION = re.compile(r"(?P<topic>.+)-(?P<partition>\d+)")


def filled(page: str, known: Mapping[str, str]) -> str:
    """The page with every placeholder that is known; the others stay as they are."""
    return _WORDS.sub(lambda found: known.get(found[0], found[0]), page)


def unknown(page: str, known: Mapping[str, str]) -> list[str]:
    """The placeholders of a page that nothing fills in, in their order."""
    return [word for word in PLACEHOLDERS if word in set(_WORDS.findall(page)) - known.keys()]


def addresses(cluster: ClusterSettings) -> dict[str, str]:
    """What varve.yaml says of a cluster, by placeholder; each is one word for a shell."""
    known: dict[str, str] = {}
    kafka, zookeeper = cluster.sources.get("kafka"), cluster.sources.get("zookeeper")
    if isinstance(kafka, KafkaSettings):
        known["BOOTSTRAP_SERVERS"] = ",".join(kafka.brokers)
        known["BOOTSTRAP_CONTROLLERS"] = ",".join(kafka.controllers)
    if isinstance(zookeeper, ZooKeeperSettings):
        known["ZOOKEEPER_CONNECT"] = quote(zookeeper.connect)
    known = {word: text for word, text in known.items() if text}
    if isinstance(zookeeper, ZooKeeperSettings):
        known["CHROOT"] = zookeeper.chroot
    return known


def about(page: str, subject: str) -> dict[str, str]:
    """What the subject of a finding says, by placeholder; each is one word for a shell.

    `orders-3` is a partition where the page speaks of one, and else a topic.
    """
    if node := _NODE.fullmatch(subject):
        return {"NODE": node["node"]}
    known: dict[str, str] = {}
    if on_broker := _ON_BROKER.fullmatch(subject):
        known["NODE"], subject = on_broker["node"], on_broker["rest"]
    partition = _PARTITION.fullmatch(subject)
    if partition and re.search(r"\bPARTITION\b", page):
        return known | {"TOPIC": quote(partition["topic"]), "PARTITION": partition["partition"]}
    return known | {"TOPIC": quote(subject)}


def notes(cluster: ClusterSettings) -> list[str]:
    """What the commands need besides, and where each broker's log dirs are."""
    kafka, zookeeper, log_dirs = map(cluster.sources.get, ("kafka", "zookeeper", "log_dirs"))
    told: list[str] = []
    if isinstance(kafka, KafkaSettings) and (kafka.auth or kafka.tls):
        told.append("Kafka's tools need `--command-config FILE` with the login or TLS of this cluster.")
    if isinstance(zookeeper, ZooKeeperSettings) and (zookeeper.auth or zookeeper.tls):
        told.append("ZooKeeper's tools need the login or TLS of this cluster.")
    if isinstance(log_dirs, LogDirsSettings):
        for entry in log_dirs.brokers:
            host = f" on {address}" if (address := getattr(entry, "ssh", "")) else ""
            told.append(f"Log dirs of {entry.broker}{host}: {', '.join(map(str, entry.paths))}")
    return told
