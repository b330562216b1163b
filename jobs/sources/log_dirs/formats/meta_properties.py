"""`meta.properties` (`MetaProperties`): whose log dir this is."""

from dataclasses import dataclass

from jobs.sources.log_dirs.formats.java_properties import parse_properties
from jobs.sources.log_dirs.formats.java_text import ParseError, parse_int
from jobs.sources.log_dirs.formats.kafka_uuid import canonical


@dataclass(frozen=True)
class MetaProperties:
    """`node_id` is `broker.id` in version 0. Version 0 requires nothing, version 1 node and cluster id."""

    version: int
    cluster_id: str | None
    node_id: int | None
    directory_id: str | None


def parse_meta_properties(content: bytes) -> MetaProperties:
    """What the file says. Raises ParseError where Kafka cannot read it."""
    found = parse_properties(content)
    version = _version(found.get("version", "0"))
    if version == 1:
        for name in ("node.id", "cluster.id"):
            if name not in found:
                raise ParseError(_MISSING[name])
    node = found.get("node.id" if version == 1 else "broker.id")
    directory = found.get("directory.id")
    return MetaProperties(
        version,
        found.get("cluster.id"),
        None if node is None else _node_id(node, version),
        None if directory is None else _directory_id(directory),
    )


_MISSING = {"node.id": "Failed to find node.id", "cluster.id": "cluster.id was not found."}


def _version(text: str) -> int:
    try:
        version = parse_int(text.strip())
    except ParseError:
        raise ParseError(f"Invalid meta.properties version string '{text}'") from None
    if version not in (0, 1):
        raise ParseError(f"Unknown meta.properties version number {version}")
    return version


def _node_id(text: str, version: int) -> int:
    try:
        return parse_int(text)
    except ParseError:
        name = "node.id" if version == 1 else "broker.id"
        raise ParseError(f"Unable to read {name} as a base-10 number.") from None


def _directory_id(text: str) -> str:
    try:
        return canonical(text)
    except ParseError as problem:
        raise ParseError(f"Unable to read directory.id as a Uuid: {problem}") from None
