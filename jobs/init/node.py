"""What the properties of a broker or controller say about its cluster, from `server.properties` or DescribeConfigs."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from jobs.sources.log_dirs.formats.java_text import ParseError, parse_properties

_LISTENER = re.compile(r"([^:]+)://(.*):(\d+)")
_EASIEST_FIRST = ("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL")
_MECHANISMS = ("SCRAM-SHA-512", "SCRAM-SHA-256", "PLAIN")
_EVERY_ADDRESS = ("", "0.0.0.0", "[::]")
_FORBIDDEN = ""


@dataclass(frozen=True)
class Listener:
    """Where clients reach a broker. `mechanism` is the SASL mechanism Varve can log in with, if there is one."""

    address: str
    protocol: str = "PLAINTEXT"
    mechanism: str | None = None

    @property
    def has_tls(self) -> bool:
        return self.protocol.endswith("SSL")


@dataclass(frozen=True)
class Node:
    """A broker or controller, as far as its properties tell.

    `is_controller` is false where it is a broker, too. `is_here` says that this machine has its log dirs. The two
    `tls` name the authorities that it trusts itself, as far as they are in PEM files; `zookeeper_tls` is None without TLS.
    """

    node_id: int | None
    is_controller: bool
    listener: Listener | None
    log_dirs: tuple[str, ...]
    is_here: bool
    zookeeper_connect: str | None
    zookeeper_tls: dict[str, str] | None
    controllers: str | None
    tls: dict[str, str]

    @property
    def host(self) -> str | None:
        return self.listener.address.rpartition(":")[0] if self.listener else None


def node_of(properties: Mapping[str, str], *, is_file_here: bool) -> Node:
    """The node with these properties. `is_file_here` says that they come from a file on this machine.

    What a broker takes from a config provider (`${env:NAME}`) is not known.
    """
    known = {key: value.strip() for key, value in properties.items() if value and "${" not in value}
    log_dirs = _log_dirs(known)
    configured = known.get("node.id", known.get("broker.id", ""))
    on_disk = _id_on_disk(log_dirs)
    node_id = configured if configured.isdecimal() else on_disk or ""
    is_here = on_disk == node_id if on_disk else is_file_here and on_disk == _FORBIDDEN
    to_zookeeper = known.get("zookeeper.ssl.client.enable", "")
    is_controller = known.get("process.roles") == "controller"
    return Node(
        node_id=int(node_id) if node_id else None,
        is_controller=is_controller,
        listener=None if is_controller else _listener(known, is_here),
        log_dirs=log_dirs,
        is_here=is_here,
        zookeeper_connect=known.get("zookeeper.connect"),
        zookeeper_tls=_authorities(known, "zookeeper.ssl") if to_zookeeper.lower() == "true" else None,
        controllers=_controllers(known),
        tls=_authorities(known, "ssl"),
    )


def _log_dirs(known: Mapping[str, str]) -> tuple[str, ...]:
    """`log.dirs`, or else `log.dir`, and `metadata.log.dir`, as `KafkaConfig` takes them; absolute ones only."""
    listed = known.get("log.dirs", known.get("log.dir", "")).split(",")
    named = [path.strip() for path in [*listed, known.get("metadata.log.dir", "")]]
    return tuple(dict.fromkeys(path for path in named if path.startswith("/")))


def _id_on_disk(log_dirs: tuple[str, ...]) -> str | None:
    """The node id in the first `meta.properties`; _FORBIDDEN where it may not be read, None where there is none."""
    for log_dir in log_dirs:
        try:
            found = parse_properties((Path(log_dir) / "meta.properties").read_bytes())
        except PermissionError:
            return _FORBIDDEN
        except (OSError, ParseError):
            continue
        node_id = found.get("node.id", found.get("broker.id", ""))
        if node_id.isdecimal():
            return node_id
    return None


def _listener(known: Mapping[str, str], is_here: bool) -> Listener | None:
    """The listener that asks least of a client; None where no address is told."""
    told = known.get("advertised.listeners", known.get("listeners", "PLAINTEXT://:9092"))
    protocols = dict(_pairs(known.get("listener.security.protocol.map", "")))
    of_controllers = known.get("controller.listener.names", "").split(",")
    found = []
    for match in filter(None, map(_LISTENER.fullmatch, told.replace(" ", "").split(","))):
        name, host, port = match.groups()
        protocol = protocols.get(name, name)
        if is_here and host in _EVERY_ADDRESS:
            host = "localhost"
        if name not in of_controllers and host not in _EVERY_ADDRESS and protocol in _EASIEST_FIRST:
            mechanism = _mechanism(known, name) if protocol.startswith("SASL_") else None
            found.append(Listener(f"{host}:{port}", protocol, mechanism))
    return min(found, key=lambda each: _EASIEST_FIRST.index(each.protocol), default=None)


def _mechanism(known: Mapping[str, str], listener: str) -> str | None:
    of_all = known.get("sasl.enabled.mechanisms", "")
    enabled = known.get(f"listener.name.{listener.lower()}.sasl.enabled.mechanisms", of_all)
    return next((each for each in _MECHANISMS if each in enabled.replace(" ", "").split(",")), None)


def _authorities(known: Mapping[str, str], prefix: str) -> dict[str, str]:
    """`{ca: …}` where the truststore is PEM; Varve does not read Java's own key stores."""
    if known.get(f"{prefix}.truststore.type") != "PEM":
        return {}
    return {"ca": known[f"{prefix}.truststore.location"]} if f"{prefix}.truststore.location" in known else {}


def _controllers(known: Mapping[str, str]) -> str | None:
    """The servers of a KRaft quorum, dynamic (`host:port`) or static (`id@host:port`)."""
    voters = re.sub(r"\d+@", "", known.get("controller.quorum.voters", ""))
    return known.get("controller.quorum.bootstrap.servers", voters).replace(" ", "") or None


def _pairs(text: str) -> list[tuple[str, str]]:
    """The entries of `A:B,C:D`."""
    return [
        (name.strip(), value.strip()) for name, _, value in (each.partition(":") for each in text.split(","))
    ]
