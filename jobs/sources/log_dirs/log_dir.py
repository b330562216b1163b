"""One log dir: what is in it apart from the replicas themselves."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from jobs.sources.log_dirs.checkpoint import Offsets, parse_offsets
from jobs.sources.log_dirs.files import UnsettledFileError, read_file
from jobs.sources.log_dirs.java_text import ParseError
from jobs.sources.log_dirs.meta_properties import MetaProperties, parse_meta_properties
from jobs.sources.log_dirs.quorum_state import QuorumState, parse_quorum_state

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
    total_bytes: int
    free_bytes: int
    problem: str | None


def read_log_dir(path: str) -> LogDir:
    """The log dir at `path`; a file in it that cannot be read or parsed is named in its problem.

    Raises OSError when the directory itself cannot be read.
    """
    space = os.statvfs(path)
    problems: list[str] = []
    meta = _parsed(path, "meta.properties", lambda content, _: parse_meta_properties(content), problems)
    if meta is None and not problems:
        problems.append(f"No `meta.properties` found in {path}")
    return LogDir(
        meta=meta,
        quorum=_parsed(path, "__cluster_metadata-0/quorum-state", parse_quorum_state, problems),
        offsets=tuple(_parsed(path, name, parse_offsets, problems) or {} for name in OFFSET_CHECKPOINTS),
        total_bytes=space.f_blocks * space.f_frsize,
        free_bytes=space.f_bavail * space.f_frsize,
        problem="; ".join(problems) or None,
    )


def _parsed(
    log_dir: str, name: str, parse: Callable[[bytes, str], Value], problems: list[str]
) -> Value | None:
    path = f"{log_dir}/{name}"
    try:
        file = read_file(path)
        return parse(file.content, path) if file else None
    except (ParseError, UnsettledFileError) as problem:
        problems.append(f"{name}: {problem}")
    except OSError as error:
        problems.append(f"{name}: cannot be read: {error.strerror}")
    return None
