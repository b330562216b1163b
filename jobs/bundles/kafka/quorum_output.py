"""What `kafka-metadata-quorum.sh describe --status` and `--replication` print, Kafka 3.3 to 4.x.

`org.apache.kafka.tools.MetadataQuorumCommand`; up to 3.8 voters and observers are lists of ids, since 3.9 (KIP-853) of
objects with directory ids and endpoints. What is read comes out as in a DescribeQuorum reply, for the same rows.
"""

import json
import re
from base64 import urlsafe_b64decode
from binascii import Error
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

Member = dict[str, Any]

STATUS = re.compile(r"^ClusterId:[ \t]+\S+\s*$", re.MULTILINE)
REPLICATION = re.compile(r"^NodeId\s+(DirectoryId\s+)?LogEndOffset\s+Lag\s.*Status\s*$", re.MULTILINE)
_LINE = re.compile(r"^(\w+):[ \t]+(\S.*?)\s*$", re.MULTILINE)
_ENDPOINT = re.compile(r"(?P<name>[^:]+)://(?P<host>.*):(?P<port>\d+)")
_ROLES = {"Leader": "current_voters", "Follower": "current_voters", "Observer": "observers"}
_AGO = " ms ago"


class QuorumOutputError(Exception):
    """The text begins like the tool's output and does not go on like it."""


@dataclass(frozen=True)
class Replication:
    """The members that `--replication` lists, by their role as in DescribeQuorum, and the leader's id."""

    members: dict[str, list[Member]]
    leader_id: int | None


def read_status(text: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The quorum and the nodes with their listeners, as in DescribeQuorum. Raises QuorumOutputError."""
    begins = STATUS.search(text)
    fields = dict(_LINE.findall(text[begins.start() :] if begins else ""))
    try:
        listed = {
            role: _listed(fields[name])
            for role, name in (("current_voters", "CurrentVoters"), ("observers", "CurrentObservers"))
        }
        quorum = {
            "leader_id": int(fields["LeaderId"]),
            "leader_epoch": int(fields["LeaderEpoch"]),
            "high_watermark": int(fields["HighWatermark"]),
            **{
                role: [_key(each["id"], each.get("directoryId")) for each in of]
                for role, of in listed.items()
            },
        }
        return quorum, [_node(voter) for voter in listed["current_voters"] if voter.get("endpoints")]
    except KeyError as error:
        raise QuorumOutputError(f"the line {error} is missing") from error
    except (ValueError, TypeError, AttributeError) as error:
        raise QuorumOutputError(str(error)) from error


def read_replication(text: str) -> Replication:
    """The rows of the table. Times are known where they are printed in milliseconds since 1970.

    Raises QuorumOutputError.
    """
    begins = REPLICATION.search(text)
    if begins is None:
        raise QuorumOutputError("the line of its columns is missing")
    columns = begins[0].split()
    members: dict[str, list[Member]] = {"current_voters": [], "observers": []}
    leader_id = None
    for line in _rows(text[begins.end() :]):
        values = dict(zip(columns, line, strict=False))
        if len(line) != len(columns) or values["Status"] not in _ROLES:
            raise QuorumOutputError(f"a row holds {' '.join(line)!r} under {' '.join(columns)!r}")
        member = _progress(values)
        members[_ROLES[values["Status"]]].append(member)
        if values["Status"] == "Leader":
            leader_id = member["replica_id"]
    return Replication(members, leader_id)


def _rows(text: str) -> Sequence[list[str]]:
    """The words of each line up to the first empty one."""
    rows = []
    for line in text.lstrip("\r\n").splitlines():
        if not line.strip():
            break
        rows.append(line.replace(_AGO, _AGO.replace(" ", "_")).split())
    return rows


def _progress(values: dict[str, str]) -> Member:
    try:
        return {
            **_key(int(values["NodeId"]), values.get("DirectoryId")),
            "log_end_offset": int(values["LogEndOffset"]),
            "last_fetch_timestamp": _timestamp(values["LastFetchTimestamp"]),
            "last_caught_up_timestamp": _timestamp(values["LastCaughtUpTimestamp"]),
        }
    except ValueError as error:
        raise QuorumOutputError(str(error)) from error


def _timestamp(written: str) -> int | None:
    """With `--human-readable` it is counted from a moment that nobody wrote down."""
    return None if written.endswith(_AGO.replace(" ", "_")) else int(written)


def _listed(written: str) -> list[dict[str, Any]]:
    members = json.loads(written)
    if not isinstance(members, list):
        raise TypeError(f"{written!r} is no list of members")
    return [{"id": each} if isinstance(each, int) else each for each in members]


def _key(node_id: Any, directory_id: str | None) -> Member:
    if not isinstance(node_id, int):
        raise TypeError(f"{node_id!r} is no node id")
    return {"replica_id": node_id, "replica_directory_id": _uuid(directory_id)}


def _uuid(kafka_id: str | None) -> UUID | None:
    """`--replication` writes no id as that of zeros, `--status` as null."""
    if kafka_id is None or kafka_id == "null":
        return None
    try:
        uuid = UUID(bytes=urlsafe_b64decode(kafka_id + "=="))
    except (Error, ValueError) as error:
        raise ValueError(f"{kafka_id!r} is no directory id") from error
    return uuid if uuid.int else None


def _node(voter: dict[str, Any]) -> dict[str, Any]:
    matches = [(endpoint, _ENDPOINT.fullmatch(endpoint)) for endpoint in voter["endpoints"]]
    if wrong := [endpoint for endpoint, match in matches if match is None]:
        raise ValueError(f"{wrong[0]!r} is no endpoint")
    return {"node_id": voter["id"], "listeners": [match.groupdict() for _, match in matches if match]}
