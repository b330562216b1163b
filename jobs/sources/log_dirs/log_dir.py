"""One log dir: what is in it apart from the replicas themselves."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from jobs.errors import NotReadError
from jobs.sources.log_dirs.contents import (
    CLEAN_SHUTDOWN,
    META_PROPERTIES,
    METADATA_LOG,
    QUORUM_STATE,
    File,
    LogDirFiles,
)
from jobs.sources.log_dirs.formats.checkpoint import Offsets, parse_offsets
from jobs.sources.log_dirs.formats.java_text import ParseError
from jobs.sources.log_dirs.formats.json_files import QuorumState, parse_clean_shutdown, parse_quorum_state
from jobs.sources.log_dirs.formats.meta_properties import MetaProperties, parse_meta_properties
from jobs.sources.log_dirs.formats.names import CheckpointName, parse_checkpoint_name

OFFSET_CHECKPOINTS = (
    "replication-offset-checkpoint",
    "recovery-point-offset-checkpoint",
    "log-start-offset-checkpoint",
    "cleaner-offset-checkpoint",
)

_OF_ITSELF = (META_PROPERTIES, QUORUM_STATE, CLEAN_SHUTDOWN)

Value = TypeVar("Value")


@dataclass(frozen=True)
class LogDir:
    """What a log dir says of itself; `offsets` are those of OFFSET_CHECKPOINTS, in that order."""

    meta: MetaProperties | None
    quorum: QuorumState | None
    offsets: tuple[Offsets, ...]
    is_cleanly_shut: bool
    broker_epoch: int | None
    checkpoints: list[CheckpointName]
    problem: str | None


def parse_log_dir(found: LogDirFiles) -> LogDir:
    """The log dir; a file in it that could not be parsed is named in its problem."""
    problems: list[str] = []
    meta = _parsed(found, META_PROPERTIES, parse_meta_properties, problems)
    if META_PROPERTIES not in found.files:
        problems.append(f"No `meta.properties` found in {found.path}")
    return LogDir(
        meta=meta,
        quorum=_parsed(found, QUORUM_STATE, parse_quorum_state, problems),
        offsets=tuple(_parsed(found, name, parse_offsets, problems) or {} for name in OFFSET_CHECKPOINTS),
        is_cleanly_shut=CLEAN_SHUTDOWN in found.files,
        broker_epoch=_parsed(found, CLEAN_SHUTDOWN, parse_clean_shutdown, problems),
        checkpoints=_checkpoints(found, problems),
        problem="; ".join(problems) or None,
    )


def unread_files(found: LogDirFiles) -> Iterator[tuple[str, NotReadError]]:
    """What could not be read at the top of the log dir: the name at which that is a gap, and why.

    All that makes up the row of the log dir itself is a gap at its `meta.properties`, see `schemas/log_dirs.py`.
    """
    for name, file in found.files.items():
        if isinstance(file, NotReadError):
            yield META_PROPERTIES if name in _OF_ITSELF else name, file
    if METADATA_LOG in found.unread:
        yield META_PROPERTIES, found.unread[METADATA_LOG]


def _parsed(
    found: LogDirFiles, name: str, parse: Callable[[bytes], Value], problems: list[str]
) -> Value | None:
    file = found.files.get(name)
    try:
        return parse(file.content) if isinstance(file, File) else None
    except ParseError as problem:
        problems.append(f"{name}: {problem}")
    return None


def _checkpoints(found: LogDirFiles, problems: list[str]) -> list[CheckpointName]:
    checkpoints = []
    for name in found.checkpoint_names:
        try:
            if checkpoint := parse_checkpoint_name(name):
                checkpoints.append(checkpoint)
        except ParseError as problem:
            problems.append(f"{METADATA_LOG}/{name}: {problem}")
    return sorted(checkpoints)
