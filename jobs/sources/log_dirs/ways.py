"""The ways to a broker's log dirs, each in a file of its own; all of them yield the same plain contents."""

from collections.abc import Iterator

from jobs.sources.log_dirs.archive import read_archive
from jobs.sources.log_dirs.contents import LogDirFiles, NotReadError
from jobs.sources.log_dirs.local import read_local
from jobs.sources.log_dirs.settings import ArchiveLogDirs, BrokerLogDirs, LocalLogDirs, Settings


def read_log_dirs(
    entry: BrokerLogDirs, settings: Settings
) -> Iterator[tuple[str, LogDirFiles | NotReadError]]:
    """Each log dir of an entry by its path: what lies in it, or why it could not be read."""
    match entry:
        case LocalLogDirs():
            return read_local(entry, settings)
        case ArchiveLogDirs():
            return read_archive(entry, settings)
