"""The JSON files of a log dir: `quorum-state` and `.kafka_cleanshutdown`."""

import json
from dataclasses import dataclass
from typing import Any, NoReturn

from jobs.sources.log_dirs.formats.java_text import NO_ID, ParseError, lines, parse_id, parse_int

_INTEGERS = {
    0: ("leaderId", "leaderEpoch", "votedId", "appliedOffset"),
    1: ("leaderId", "leaderEpoch", "votedId"),
}
_STRINGS = {0: ("clusterId",), 1: ("votedDirectoryId",)}


@dataclass(frozen=True)
class QuorumState:
    """What a node remembers of the metadata quorum's votes (`FileQuorumStateStore`, `QuorumStateData`).

    Ids are -1 for none. Version 1 (KIP-853) keeps no voters here: they are in the log.
    """

    data_version: int
    leader_id: int
    leader_epoch: int
    voted_id: int
    voted_directory_id: str | None
    voters: list[int] | None


def parse_quorum_state(content: bytes) -> QuorumState:
    """What `quorum-state` says. As for Kafka, only the JSON object counts with which its first line begins.

    Raises ParseError where Kafka cannot read the file.
    """
    node = _first_object(content)
    version = node["data_version"] if type(node["data_version"]) is int else 0
    if version not in _INTEGERS:
        raise ParseError(f"data_version {version} is neither 0 nor 1")
    for name in _INTEGERS[version]:
        _check_integer(_field(node, name), 64 if name == "appliedOffset" else 32)
    for name in _STRINGS[version]:
        if not isinstance(_field(node, name), str):
            raise ParseError(f"{name} is no text: {json.dumps(node[name])}")
    return QuorumState(
        data_version=version,
        leader_id=node["leaderId"],
        leader_epoch=node["leaderEpoch"],
        voted_id=node["votedId"],
        voted_directory_id=_directory_id(node["votedDirectoryId"]) if version == 1 else None,
        voters=_voters(_field(node, "currentVoters")) if version == 0 else None,
    )


def _first_object(content: bytes) -> dict[str, Any]:
    first = lines(content)[:1]
    if not first:
        raise ParseError("it is empty")
    try:
        node, _ = json.JSONDecoder(parse_constant=_no_constant).raw_decode(first[0].lstrip(" \t"))
    except (ValueError, RecursionError):
        raise ParseError("its first line does not begin with JSON") from None
    if not isinstance(node, dict) or "data_version" not in node:
        raise ParseError(f"there is no data_version in {first[0]}")
    return node


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


def _field(node: dict[str, Any], name: str) -> Any:
    if name not in node:
        raise ParseError(f"there is no {name}")
    return node[name]


def _check_integer(value: Any, bits: int = 32) -> None:
    if type(value) is not int or not -(1 << bits - 1) <= value < 1 << bits - 1:
        raise ParseError(f"{json.dumps(value)} is no number of {bits} bits")


def _directory_id(text: str) -> str | None:
    directory_id = parse_id(text)
    return None if directory_id == NO_ID else directory_id


def _voters(value: Any) -> list[int]:
    if not isinstance(value, list):
        raise ParseError(f"currentVoters is no list: {json.dumps(value)}")
    for voter in value:
        if not isinstance(voter, dict) or "voterId" not in voter:
            raise ParseError("a voter has no voterId")
        _check_integer(voter["voterId"])
    return [voter["voterId"] for voter in value]


def parse_clean_shutdown(content: bytes) -> int | None:
    """The broker's epoch when it went down in order, -1 in ZooKeeper mode (`CleanShutdownFileHandler`).

    None before Kafka 3.7, and for all that Kafka itself ignores: that the file is there is what counts.
    """
    try:
        found, _ = json.JSONDecoder().raw_decode(content.decode())
        return _number(found["brokerEpoch"]) if _number(found.get("version", 0)) is not None else None
    except (ValueError, RecursionError, ParseError, TypeError, AttributeError, KeyError, OverflowError):
        return None


def _number(value: Any) -> int | None:
    """A number as Jackson makes it of a JSON value. Raises ParseError where it makes none."""
    if isinstance(value, bool) or value is None:
        return None
    return parse_int(value if isinstance(value, str) else str(int(value)), 64)
