"""`meta.properties` (`MetaProperties`): whose log dir this is."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from jobs.sources.log_dirs.formats.java_text import ParseError, parse_id, parse_int, parse_properties

Value = TypeVar("Value")


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
    version = _parsed({"version": "0"} | found, "version", lambda text: parse_int(text.strip()))
    if version not in (0, 1):
        raise ParseError(f"Unknown meta.properties version number {version}")
    for name in ("node.id", "cluster.id") if version == 1 else ():
        if name not in found:
            raise ParseError(f"there is no {name}")
    return MetaProperties(
        version,
        found.get("cluster.id"),
        _parsed(found, "node.id" if version == 1 else "broker.id", parse_int),
        _parsed(found, "directory.id", parse_id),
    )


def _parsed(found: dict[str, str], name: str, parse: Callable[[str], Value]) -> Value | None:
    try:
        return parse(found[name]) if name in found else None
    except ParseError as problem:
        raise ParseError(f"{name}: {problem}") from None
