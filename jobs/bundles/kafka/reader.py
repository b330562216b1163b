"""The metadata quorum in a support bundle: captured output of `kafka-metadata-quorum.sh describe`."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from jobs.bundles.bundle import Bundle
from jobs.bundles.kafka.quorum_output import (
    REPLICATION,
    STATUS,
    QuorumOutputError,
    Replication,
    read_replication,
    read_status,
)
from jobs.errors import NotReadError
from jobs.landing.landing import Landing
from jobs.sources.kafka.quorum import member_rows, progress_rows, quorum_row
from jobs.sources.kafka.settings import Settings
from schemas.registry import tables
from schemas.snapshots import GapReason

LOOKED_FOR = "the output of kafka-metadata-quorum.sh describe --status or --replication, in files of any name"

MAX_BYTES = 16 * 1024 * 1024
_TOLD = "quorum"
_LEADER = "/quorum/leader"

Value = TypeVar("Value")

_log = logging.getLogger(__name__)


@dataclass
class _Captured:
    """What the files hold: the last of each output, and what is wrong with others."""

    status: tuple[dict[str, Any], list[dict[str, Any]]] | None = None
    replication: Replication | None = None
    broken: list[str] = field(default_factory=list)


def recognise(_path: str, head: bytes) -> bool:
    """Whether a file holds output of the tool, by its first lines."""
    text = head.decode(errors="replace")
    return bool(STATUS.search(text) or REPLICATION.search(text))


def collect_bundle(_settings: Settings, bundle: Bundle, paths: Sequence[str], landing: Landing) -> None:
    """Land what the output tells of the quorum; all else the Admin API would tell is a gap.

    Raises NotReadError when none of the files can be understood.
    """
    captured = _read(bundle, paths)
    if captured.status is None and captured.replication is None:
        raise NotReadError(
            GapReason.UNREADABLE,
            f"The captured output of kafka-metadata-quorum.sh is not whole: {'; '.join(captured.broken)}",
        )
    for scope in _not_told():
        landing.gap(
            scope, GapReason.NOT_COLLECTED, "A bundle never holds this: only the Admin API returns it."
        )
    if captured.status is None:
        landing.gap(
            _LEADER,
            GapReason.UNREADABLE if captured.broken else GapReason.NOT_COLLECTED,
            "; ".join(captured.broken)
            or "The bundle holds no output of describe --status, which tells the leader's epoch.",
        )
    quorum, nodes = _merged(captured)
    landing.rows("quorum", [quorum_row(quorum)] if captured.status else [])
    landing.rows("quorum_members", member_rows(quorum, nodes))
    landing.rows("quorum_progress", progress_rows(quorum))


def _read(bundle: Bundle, paths: Sequence[str]) -> _Captured:
    captured = _Captured()
    for path in paths:
        text = bundle.read(path, MAX_BYTES).decode(errors="replace")
        if STATUS.search(text):
            captured.status = _or_broken(read_status, text, path, captured) or captured.status
        if REPLICATION.search(text):
            captured.replication = _or_broken(read_replication, text, path, captured) or captured.replication
    return captured


def _or_broken(read: Callable[[str], Value], text: str, path: str, captured: _Captured) -> Value | None:
    try:
        return read(text)
    except QuorumOutputError as error:
        captured.broken.append(f"{path}: {error}")
        return None


def _merged(captured: _Captured) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Both outputs as one DescribeQuorum reply; one of another leader's time says nothing of how far members are."""
    replication = captured.replication
    if captured.status is None:
        assert replication is not None
        return {"leader_id": replication.leader_id, "high_watermark": None, **replication.members}, []
    quorum, nodes = captured.status
    if replication is None:
        return quorum, nodes
    if replication.leader_id != quorum["leader_id"]:
        _log.warning(
            "describe --status names %s as the leader and --replication %s: the latter is not used",
            quorum["leader_id"],
            replication.leader_id,
        )
        return quorum, nodes
    return {**quorum, **_with_progress(quorum, replication)}, nodes


def _with_progress(quorum: dict[str, Any], replication: Replication) -> dict[str, list[dict[str, Any]]]:
    """The members of either output. Roles are those of `--status`, where it lists the member."""
    progress = {_id(member): member for members in replication.members.values() for member in members}
    known = {_id(member) for role in replication.members for member in quorum[role]}
    return {
        role: [{**member, **progress.get(_id(member), {})} for member in quorum[role]]
        + [member for member in also if _id(member) not in known]
        for role, also in replication.members.items()
    }


def _id(member: dict[str, Any]) -> tuple[Any, Any]:
    return member["replica_id"], member["replica_directory_id"]


def _not_told() -> list[str]:
    """The parts of the Kafka API's namespace that are not the quorum, uppermost only."""
    scopes = [table.scopes["kafka"].split("/")[1] for table in tables().values() if "kafka" in table.scopes]
    return [f"/{name}" for name in sorted({*scopes} - {_TOLD})]
