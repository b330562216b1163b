"""`quorum-state` (`FileQuorumStateStore`, `QuorumStateData`): what a node remembers of the metadata quorum's votes."""

import json
from dataclasses import dataclass
from typing import Any

from jobs.sources.log_dirs.java_text import ParseError, lines
from jobs.sources.log_dirs.kafka_uuid import ZERO, canonical

_MANDATORY = {
    0: ("clusterId", "leaderId", "leaderEpoch", "votedId", "appliedOffset", "currentVoters"),
    1: ("leaderId", "leaderEpoch", "votedId", "votedDirectoryId"),
}


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
    """What the file says; only its first line counts, as for Kafka.

    Raises ParseError where Kafka cannot read the file.
    """
    first = lines(content)[:1]
    if not first:
        raise ParseError("EOFException: File ended prematurely.")
    try:
        node = json.loads(first[0])
    except (ValueError, RecursionError):
        raise ParseError(f"Error while reading the Quorum status from the file {path}") from None
    if not isinstance(node, dict) or node.get("data_version") is None:
        raise ParseError(f"Deserialized node {first[0]} does not have `data_version` field")
    version = _integer(node, "data_version", 16)
    if version not in _MANDATORY:
        raise ParseError(f"data_version ({version}) is not within the min (0) and max (1) supported version.")
    for name in _MANDATORY[version]:
        if name not in node:
            raise ParseError(
                f"QuorumStateData: unable to locate field '{name}', which is mandatory in version {version}"
            )
    return QuorumState(
        version,
        _integer(node, "leaderId"),
        _integer(node, "leaderEpoch"),
        _integer(node, "votedId"),
        _directory_id(node["votedDirectoryId"]) if version == 1 else None,
        _voters(node["currentVoters"]) if version == 0 else None,
    )


def _integer(node: dict[str, Any], name: str, bits: int = 32) -> int:
    value = node[name]
    if type(value) is not int or not -(1 << bits - 1) <= value < 1 << bits - 1:
        raise ParseError(f"QuorumStateData: {name} is not an integer: {json.dumps(value)}")
    return value


def _directory_id(value: Any) -> str | None:
    if not isinstance(value, str):
        raise ParseError("QuorumStateData expected a JSON string type, but got " + json.dumps(value))
    directory_id = canonical(value)
    return None if directory_id == ZERO else directory_id


def _voters(value: Any) -> list[int] | None:
    if value is None:
        return None
    if not isinstance(value, list) or not all(
        isinstance(voter, dict) and "voterId" in voter for voter in value
    ):
        raise ParseError("QuorumStateData: currentVoters is not a list of voters: " + json.dumps(value))
    return [_integer(voter, "voterId") for voter in value]
