"""What of a tar belongs to log dirs, kept in memory by one pass over it and then read like a disk."""

import errno
import os
from stat import S_IFLNK
from typing import Union

from jobs.errors import NotReadError
from jobs.sources.log_dirs.contents import (
    BOOTSTRAP_CHECKPOINT,
    LEADER_EPOCHS,
    LOG_DIR_FILES,
    MAX_FILE_BYTES,
    METADATA_LOG,
    PARTITION_METADATA,
    QUORUM_STATE,
    Budget,
)
from jobs.sources.log_dirs.formats.names import newest_finished
from jobs.sources.log_dirs.ways.disk import DIRECTORY, FILE, FileSystem, KnownStat, Stat
from jobs.sources.log_dirs.ways.tar_reader import Member
from schemas.snapshots import GapReason

_MAX_DIRECTORIES = 1_000_000
_MAX_DEPTH = 100

_SMALL_FILES = {*LOG_DIR_FILES, PARTITION_METADATA, LEADER_EPOCHS, QUORUM_STATE.rpartition("/")[2]}
_LINK_OR_DEVICE = S_IFLNK
_KNOWN_BY_NAME = (".tmp", ".snapshot")


class _File:
    """A file; its content is None where it is not one of the small files, or too large."""

    def __init__(self, stat: Stat, content: bytes | None) -> None:
        self.stat, self.content = stat, content


class _Directory(dict[str, Union["_Directory", _File]]):
    """What is in a directory by name; `newest` is the newest finished metadata checkpoint, the only one that is kept."""

    stat = KnownStat(DIRECTORY, 0, 0)
    newest: str | None = None


class TarDisk:
    """Directories, links and the files of log dirs; all else of the tar is passed over. Paths are those in the tar.

    Of two members with the same name the later one counts, as in tar.
    """

    shows_all = False

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._top = _Directory()
        self._directories = 0

    def take(self, member: Member) -> None:
        """Keep what the member says. Raises NotReadError when that is more than the budget or than any broker has."""
        if not member.parts:
            return
        *parents, name = member.parts
        if member.is_directory:
            self._directory(member.parts)
        elif not member.is_file:
            self._directory(parents)[name] = _File(_stat(member, _LINK_OR_DEVICE), None)
        elif name in _SMALL_FILES:
            self._directory(parents)[name] = self._kept(member, MAX_FILE_BYTES)
        elif ".checkpoint" in name and METADATA_LOG in parents[-1:]:
            self._take_checkpoint(self._directory(parents), member)
        elif name.endswith(_KNOWN_BY_NAME) or name == BOOTSTRAP_CHECKPOINT:
            self._directory(parents)[name] = _File(_stat(member, FILE), None)
        else:
            self._directory(parents)

    def _take_checkpoint(self, metadata_log: _Directory, member: Member) -> None:
        name, newest = member.parts[-1], metadata_log.newest
        if newest_finished([name, newest] if newest else [name]) != name:
            metadata_log[name] = _File(_stat(member, FILE), None)
            return
        if newest is not None:
            metadata_log[newest] = _File(metadata_log[newest].stat, None)
        metadata_log[name], metadata_log.newest = self._kept(member, self._budget.max_checkpoint_bytes), name

    def _kept(self, member: Member, limit: int) -> _File:
        content = None
        if member.size <= limit:
            self._budget.spend(member.size)
            content = member.read()
        return _File(_stat(member, FILE), content)

    def _directory(self, parts: list[str]) -> _Directory:
        """The directory, made where it is not there."""
        if len(parts) > _MAX_DEPTH:
            raise _unlike_any_broker(f"a path of more than {_MAX_DEPTH} directories")
        directory = self._top
        for part in parts:
            inner = directory.get(part)
            if not isinstance(inner, _Directory):
                self._directories += 1
                if self._directories > _MAX_DIRECTORIES:
                    raise _unlike_any_broker(f"more than {_MAX_DIRECTORIES} directories")
                inner = directory[part] = _Directory()
            directory = inner
        return directory

    async def file_system(self, path: str) -> FileSystem:
        self._listable(path)
        return FileSystem()

    async def list(self, path: str) -> dict[str, Stat]:
        return {name: found.stat for name, found in self._listable(path).items()}

    async def stat(self, path: str) -> Stat:
        return self._found(path).stat

    async def read(self, path: str, _size: int) -> tuple[bytes, Stat]:
        found = self._found(path)
        if isinstance(found, _Directory):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if found.content is None:
            raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
        return found.content, found.stat

    def _listable(self, path: str) -> _Directory:
        found = self._found(path)
        if not isinstance(found, _Directory):
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
        return found

    def _found(self, path: str) -> "_Directory | _File":
        found: _Directory | _File | None = self._top
        for part in path.split("/") if path else ():
            if isinstance(found, _File):
                raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
            found = found.get(part) if found is not None else None
        if found is None:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
        return found


def _stat(member: Member, mode: int) -> Stat:
    return KnownStat(mode, member.size, member.modified_ns)


def _unlike_any_broker(what: str) -> NotReadError:
    return NotReadError(GapReason.UNREADABLE, f"It holds {what}: look at it.")
