"""The ways to a broker's log dirs, each in a file of its own; all of them yield the same plain contents."""

from collections.abc import Iterator

from jobs.errors import NotReadError
from jobs.sources.log_dirs.contents import LogDirFiles
from jobs.sources.log_dirs.settings import (
    ArchiveLogDirs,
    BrokerLogDirs,
    ExecLogDirs,
    LocalLogDirs,
    Settings,
    SshLogDirs,
)
from jobs.sources.log_dirs.ways.archive import read_archive
from jobs.sources.log_dirs.ways.exec import read_exec
from jobs.sources.log_dirs.ways.local import read_local


def read_log_dirs(
    entry: BrokerLogDirs, settings: Settings
) -> Iterator[tuple[str, LogDirFiles | NotReadError]]:
    """Each log dir of an entry by its path: what lies in it, or why it could not be read.

    Raises NotReadError for what keeps all the rest of them from being read.
    """
    match entry:
        case LocalLogDirs():
            return read_local(entry, settings)
        case SshLogDirs():
            from jobs.sources.log_dirs.ways.ssh import read_ssh  # half a second that others need not wait

            return read_ssh(entry, settings)
        case ExecLogDirs():
            return read_exec(entry, settings)
        case ArchiveLogDirs():
            return read_archive(entry, settings)
