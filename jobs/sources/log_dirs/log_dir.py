"""One log dir: what is in it apart from the replicas themselves."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from jobs.sources.log_dirs.contents import METADATA_LOG, QUORUM_STATE, LogDirFiles, NotReadError
from jobs.sources.log_dirs.formats.checkpoint import Offsets, parse_offsets
from jobs.sources.log_dirs.formats.clean_shutdown import parse_broker_epoch
from jobs.sources.log_dirs.formats.java_text import ParseError
from jobs.sources.log_dirs.formats.meta_properties import MetaProperties, parse_meta_properties
from jobs.sources.log_dirs.formats.metadata_snapshots import SnapshotName, parse_snapshot_name
from jobs.sources.log_dirs.formats.quorum_state import QuorumState, parse_quorum_state

OFFSET_CHECKPOINTS = (
    "replication-offset-checkpoint",
    "recovery-point-offset-checkpoint",
    "log-start-offset-checkpoint",
    "cleaner-offset-checkpoint",
)

Value = TypeVar("Value")


@dataclass(frozen=True)
class LogDir:
    """What a log dir says of itself; `offsets` are those of OFFSET_CHECKPOINTS, in that order."""

    meta: MetaProperties | None
    quorum: QuorumState | None
    offsets: tuple[Offsets, ...]
    is_cleanly_shut: bool
    broker_epoch: int | None
    metadata_snapshots: list[SnapshotName]
    problem: str | None


def parse_log_dir(found: LogDirFiles) -> LogDir:
    """The log dir; a file in it that could not be read or parsed is named in its problem."""
    problems: list[str] = []
    meta = _parsed(found, "meta.properties", lambda content, _: parse_meta_properties(content), problems)
    if meta is None and not problems:
        problems.append(f"No `meta.properties` found in {found.path}")
    return LogDir(
        meta=meta,
        quorum=_parsed(found, QUORUM_STATE, parse_quorum_state, problems),
        offsets=tuple(_parsed(found, name, parse_offsets, problems) or {} for name in OFFSET_CHECKPOINTS),
        is_cleanly_shut=".kafka_cleanshutdown" in found.files,
        broker_epoch=_parsed(
            found, ".kafka_cleanshutdown", lambda content, _: parse_broker_epoch(content), problems
        ),
        metadata_snapshots=_snapshot_names(found, problems),
        problem="; ".join(problems) or None,
    )


def _parsed(
    found: LogDirFiles, name: str, parse: Callable[[bytes, str], Value], problems: list[str]
) -> Value | None:
    file = found.files.get(name)
    if isinstance(file, NotReadError):
        problems.append(f"{name}: {file}")
        return None
    try:
        return parse(file.content, f"{found.path}/{name}") if file else None
    except ParseError as problem:
        problems.append(f"{name}: {problem}")
    return None


def _snapshot_names(found: LogDirFiles, problems: list[str]) -> list[SnapshotName]:
    names = []
    for name in found.metadata_snapshots:
        try:
            if snapshot := parse_snapshot_name(name):
                names.append(snapshot)
        except ParseError as problem:
            problems.append(f"{METADATA_LOG}/{name}: {problem}")
    return sorted(names)
