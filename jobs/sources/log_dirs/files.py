"""Reads small files of a disk that a running broker may be writing."""

import errno
import os
from stat import S_ISDIR, S_ISREG

from jobs.errors import NotReadError
from jobs.sources.log_dirs.contents import MAX_FILE_BYTES, File
from jobs.sources.log_dirs.explain import no_plain_file, storable, too_large, unsettled
from jobs.sources.log_dirs.ways.disk import Disk, Stat

_ATTEMPTS = 3


async def read_file(
    disk: Disk, path: str, limit: int = MAX_FILE_BYTES, listed: Stat | None = None
) -> File | NotReadError:
    """The file as it was at one moment, or why there is no such content. Raises OSError as the disk does.

    Kafka replaces its files by a rename, so an open file is whole; its size and time before and after the read show
    a writer that does otherwise. A file that was just `listed` needs one question less.
    """
    for _ in range(_ATTEMPTS):
        before = listed or await disk.stat(path)
        if not S_ISREG(before.st_mode):
            return _no_file(before, path)
        if before.st_size > limit:
            return too_large(storable(path), before.st_size, limit)
        content, after = await disk.read(path, before.st_size)
        if len(content) == before.st_size == after.st_size and before.st_mtime_ns == after.st_mtime_ns:
            return File(content, after.st_mtime_ns)
        listed = None
    return unsettled(f"{storable(path)} changed while it was read, {_ATTEMPTS} times in a row")


def _no_file(found: Stat, path: str) -> NotReadError:
    if S_ISDIR(found.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    return no_plain_file(storable(path))
