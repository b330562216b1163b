"""`quorum-state` (`FileQuorumStateStore`, `QuorumStateData`): what a node remembers of the metadata quorum's votes."""

import json
from dataclasses import dataclass
from typing import Any, NoReturn

from jobs.sources.log_dirs.formats.java_text import ParseError, lines
from jobs.sources.log_dirs.formats.kafka_uuid import ZERO, canonical

_INTEGERS = {
    0: ("leaderId", "leaderEpoch", "votedId", "appliedOffset"),
    1: ("leaderId", "leaderEpoch", "votedId"),
}
_STRINGS = {0: ("clusterId",), 1: ("votedDirectoryId",)}


@dataclass(frozen=True)
class QuorumState:
    """Ids are -1 for none. Version 1 (KIP-853) keeps no voters here: they live in the log."""

    data_version: int
    leader_id: int
    leader_epoch: int
    voted_id: int
    voted_directory_id: str | None
    voters: list[int] | None


def parse_quorum_state(content: bytes, path: str) -> QuorumState:
    """What the file says; only the JSON object its first line begins with counts, as for Kafka.

    Raises ParseError where Kafka cannot read the file.
    """
    node = _first_object(content, path)
    version = node["data_version"] if type(node["data_version"]) is int else 0
    if version not in _INTEGERS:
        raise ParseError(f"data_version ({version}) is not within the min (0) and max (1) supported version")
    for name in _INTEGERS[version]:
        _check_integer(_field(node, name, version), 64 if name == "appliedOffset" else 32)
    for name in _STRINGS[version]:
        if not isinstance(_field(node, name, version), str):
            raise ParseError(f"QuorumStateData expected a string type, but got {json.dumps(node[name])}")
    return QuorumState(
        data_version=version,
        leader_id=node["leaderId"],
        leader_epoch=node["leaderEpoch"],
        voted_id=node["votedId"],
        voted_directory_id=_directory_id(node["votedDirectoryId"]) if version == 1 else None,
        voters=_voters(_field(node, "currentVoters", version)) if version == 0 else None,
    )


def _first_object(content: bytes, path: str) -> dict[str, Any]:
    outcome = f"Error while reading the Quorum status from the file {path}"
    first = lines(content)[:1]
    if not first:
        raise ParseError(f"{outcome}: File ended prematurely.")
    try:
        node, _ = json.JSONDecoder(parse_constant=_no_constant).raw_decode(first[0].lstrip(" \t"))
    except (ValueError, RecursionError):
        raise ParseError(outcome) from None
    if not isinstance(node, dict) or "data_version" not in node:
        raise ParseError(f"{outcome}: Deserialized node {first[0]} does not have `data_version` field")
    return node


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


def _field(node: dict[str, Any], name: str, version: int) -> Any:
    if name not in node:
        raise ParseError(
            f"QuorumStateData: unable to locate field '{name}', which is mandatory in version {version}"
        )
    return node[name]


def _check_integer(value: Any, bits: int = 32) -> None:
    if type(value) is not int or not -(1 << bits - 1) <= value < 1 << bits - 1:
        raise ParseError(f"QuorumStateData: failed to parse number: {json.dumps(value)}")


def _directory_id(text: str) -> str | None:
    directory_id = canonical(text)
    return None if directory_id == ZERO else directory_id


def _voters(value: Any) -> list[int]:
    if not isinstance(value, list):
        raise ParseError(f"QuorumStateData expected a JSON array, but got {json.dumps(value)}")
    for voter in value:
        if not isinstance(voter, dict) or "voterId" not in voter:
            raise ParseError("Voter: unable to locate field 'voterId', which is mandatory in version 0")
        _check_integer(voter["voterId"])
    return [voter["voterId"] for voter in value]
