"""Reads a broker's log dirs: which way there is to them, and what each of them turned out to be."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from jobs.errors import NotReadError
from jobs.sources.log_dirs.contents import LogDirFiles
from jobs.sources.log_dirs.files import Budget
from jobs.sources.log_dirs.settings import (
    ArchiveLogDirs,
    BrokerLogDirs,
    ExecLogDirs,
    LocalLogDirs,
    Settings,
    SshLogDirs,
)
from jobs.sources.log_dirs.walk import Place, read_log_dir
from jobs.sources.log_dirs.ways.archive import open_archive, readable, run_command
from jobs.sources.log_dirs.ways.disk import Disk
from jobs.sources.log_dirs.ways.local import LocalDisk
from jobs.sources.log_dirs.ways.places import log_dirs_of, places
from schemas.snapshots import GapReason

Outcomes = dict[str, LogDirFiles | NotReadError]


def read_log_dirs(entry: BrokerLogDirs, settings: Settings) -> Outcomes:
    """For each path of the entry what lies in that log dir, or why it could not be read."""
    try:
        return asyncio.run(_read(entry, settings))
    except NotReadError as error:
        return {str(path): error for path in entry.paths}
    except OSError as error:
        why = NotReadError(
            GapReason.UNREADABLE, f"The log dirs of broker {entry.broker} cannot be read: {error}"
        )
        return {str(path): why for path in entry.paths}


async def _read(entry: BrokerLogDirs, settings: Settings) -> Outcomes:
    async with _disk(entry, settings) as disk:
        return await read_roots(entry.broker, await _roots(entry, disk), disk, settings)


async def read_roots(
    broker: int, roots: Mapping[str, str | NotReadError], disk: Disk, settings: Settings
) -> Outcomes:
    """The same for paths of a broker whose directories on the disk are known, or why one is not there.

    When the disk is lost, or more is to be read than the settings allow, that is the outcome of all the rest.
    """
    budget = Budget(settings.max_bytes, settings.max_snapshot_bytes)
    found: Outcomes = {}
    end: NotReadError | None = None
    for path, root in roots.items():
        if isinstance(root, NotReadError):
            found[path] = root
        elif end is not None:
            found[path] = end
        else:
            try:
                found[path] = await read_log_dir(disk, Place(broker, path, root), budget)
            except NotReadError as error:
                found[path] = end = error
    return found


@asynccontextmanager
async def _disk(entry: BrokerLogDirs, settings: Settings) -> AsyncIterator[Disk]:
    match entry:
        case LocalLogDirs():
            yield LocalDisk()
        case SshLogDirs():
            from jobs.sources.log_dirs.ways.sftp import sftp_disk  # half a second that others need not wait

            async with sftp_disk(entry, settings.timeout_s) as disk:
                yield disk
        case ExecLogDirs():
            yield run_command(entry, settings)
        case ArchiveLogDirs():
            yield open_archive(entry, settings)


async def _roots(entry: BrokerLogDirs, disk: Disk) -> Mapping[str, str | NotReadError]:
    """The directory of the disk that each path of the broker is, or why there is none."""
    paths = [str(path) for path in entry.paths]
    match entry:
        case ExecLogDirs():
            return places(paths, await log_dirs_of(disk), "what the command printed")
        case ArchiveLogDirs():
            with readable(entry.archive):
                return places(paths, await log_dirs_of(disk), f"the archive {entry.archive}")
        case _:
            return {path: path for path in paths}
