"""Directories that this machine can read as files: log dirs of a broker, or copies of some."""

import os

from jobs.sources.log_dirs.ways.disk import FileSystem, Stat

_READING = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK


class LocalDisk:
    """A disk of this machine. Strings and `os` throughout, for speed.

    `copy` is a folder that holds copies of log dirs: paths are those below it, links in it are not followed, and its
    file system says nothing of the broker's.
    """

    shows_all = True

    def __init__(self, copy: str | None = None) -> None:
        self._top = "" if copy is None else f"{copy}/"
        self._is_copy = copy is not None
        self._flags = _READING | os.O_NOFOLLOW if self._is_copy else _READING

    async def file_system(self, path: str) -> FileSystem:
        found = os.stat(self._top + path)  # noqa: PTH116
        identity = found.st_dev, found.st_ino
        if self._is_copy:
            return FileSystem(identity)
        space = os.statvfs(path)
        return FileSystem(identity, space.f_blocks * space.f_frsize, space.f_bavail * space.f_frsize)

    async def list(self, path: str) -> dict[str, Stat]:
        found: dict[str, Stat] = {}
        with os.scandir(self._top + path) as entries:
            for entry in entries:
                try:
                    stat = entry.stat(follow_symlinks=False)
                except FileNotFoundError:
                    continue
                is_followed = entry.is_symlink() and not self._is_copy
                found[entry.name] = _behind(entry, stat) if is_followed else stat
        return found

    async def stat(self, path: str) -> Stat:
        return os.stat(self._top + path, follow_symlinks=not self._is_copy)  # noqa: PTH116

    async def read(self, path: str, size: int) -> tuple[bytes, Stat]:
        descriptor = os.open(self._top + path, self._flags)
        try:
            content = os.read(descriptor, size + 1)
            # A call gives less where a signal comes between.
            while content and len(content) < size and (more := os.read(descriptor, size + 1 - len(content))):
                content += more
            return content, os.fstat(descriptor)
        finally:
            os.close(descriptor)


def _behind(link: os.DirEntry[str], itself: os.stat_result) -> os.stat_result:
    try:
        return link.stat()
    except OSError:
        return itself
