"""Turns a DescribeQuorum reply (KIP-595, KIP-836, KIP-853) into rows, in the column order of `schemas/quorum.py`."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from jobs.sources.kafka.kafka_id import kafka_id

Row = tuple[Any, ...]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_LAST_INSTANT_MS = 253_402_300_799_999
"""The end of the year 9999."""


def quorum_row(quorum: dict[str, Any]) -> Row:
    """A row of `quorum`."""
    return quorum["leader_id"], quorum["leader_epoch"]


def member_rows(quorum: dict[str, Any], nodes: list[dict[str, Any]]) -> Iterator[Row]:
    """Rows of `quorum_members`. Kafka tells the listeners of voters only, by node id."""
    endpoints = {node["node_id"]: [_endpoint(listener) for listener in node["listeners"]] for node in nodes}
    for voter in quorum["current_voters"]:
        yield *_key(voter), "voter", endpoints.get(voter["replica_id"])
    for observer in quorum["observers"]:
        yield *_key(observer), "observer", None


def progress_rows(quorum: dict[str, Any]) -> Iterator[Row]:
    """Rows of `quorum_progress`. The leader may be an observer: it is while it is being removed."""
    members = [*quorum["current_voters"], *quorum["observers"]]
    leader_end = next(
        (member.get("log_end_offset") for member in members if member["replica_id"] == quorum["leader_id"]),
        None,
    )
    for member in members:
        end = member.get("log_end_offset")
        yield (
            *_key(member),
            quorum["high_watermark"],
            end,
            _lag(leader_end, end),
            _instant(member.get("last_fetch_timestamp")),
            _instant(member.get("last_caught_up_timestamp")),
        )


def _lag(leader_end: int | None, end: int | None) -> int | None:
    """Kafka's own tool takes -1, never fetched, for an offset; here the lag is unknown then."""
    if leader_end is None or end is None or min(leader_end, end) < 0:
        return None
    return leader_end - end


def _key(member: dict[str, Any]) -> tuple[int, str | None]:
    return member["replica_id"], kafka_id(member.get("replica_directory_id"))


def _endpoint(listener: dict[str, Any]) -> str:
    return f"{listener['name']}://{listener['host']}:{listener['port']}"


def _instant(milliseconds: int | None) -> datetime | None:
    if milliseconds is None or not 0 <= milliseconds <= _LAST_INSTANT_MS:
        return None
    return _EPOCH + timedelta(milliseconds=milliseconds)
