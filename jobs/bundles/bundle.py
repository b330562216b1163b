"""A support bundle: a folder or a tar, looked at where it is. Nothing of it is ever unpacked to disk.

Only regular files are seen: links, devices and names that lead out of the bundle are passed over and named in `refused`.
"""

import os
import stat
import tarfile
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from jobs.errors import NotReadError, UsageError
from jobs.sources.log_dirs.files import Budget
from jobs.sources.log_dirs.ways.disk import Disk
from jobs.sources.log_dirs.ways.local import LocalDisk
from jobs.sources.log_dirs.ways.tar import TarDisk
from jobs.sources.log_dirs.ways.tar_reader import DAMAGED, Member, members, open_file
from schemas.snapshots import GapReason

HEAD_BYTES = 4096
MAX_FILE_BYTES = 2 * 1024**3


class Bundle(ABC):
    """The files of a bundle, named by their paths in it: relative, with `/` between folders."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.refused: list[str] = []
        self._wanted: set[str] = set()

    def find(self, kinds: Callable[[str, bytes], Iterable[str]]) -> dict[str, list[str]]:
        """The paths of the files by what they are; `kinds` tells it from a path and the first bytes.

        Raises UsageError when the bundle is damaged.
        """
        found: dict[str, set[str]] = {}
        for path, head in self._heads():
            for kind in kinds(path, head):
                found.setdefault(kind, set()).add(path)
                self._wanted.add(path)
        return {kind: sorted(paths) for kind, paths in found.items()}

    @abstractmethod
    def open(self, path: str) -> IO[bytes]:
        """The content of a file that was found."""

    @abstractmethod
    def disk(self) -> Disk:
        """The bundle as a disk that holds log dirs, after `find`.

        Raises NotReadError when there is more of them than is kept in memory.
        """

    @abstractmethod
    def _heads(self) -> Iterator[tuple[str, bytes]]:
        """Each file's path and its first HEAD_BYTES bytes."""

    def _is_plain(self, path: str, is_file: bool) -> bool:
        """Whether it is a file that may be read by its name; what is not is refused."""
        if not is_file:
            self.refused.append(f"{path} (no regular file)")
        elif ".." in path.split("/"):
            self.refused.append(f"{path} (leads out of it)")
        elif any("\udc80" <= letter <= "\udcff" for letter in path):
            self.refused.append(f"{path} (its name is no UTF-8)")
        else:
            return True
        return False

    def read(self, path: str, limit: int = MAX_FILE_BYTES) -> bytes:
        """The whole content of a file. Raises NotReadError when it is longer than `limit`."""
        with self.open(path) as file:
            content = file.read(limit + 1)
        if len(content) > limit:
            raise NotReadError(
                GapReason.UNREADABLE,
                f"{path} in {self.path} is longer than {limit} bytes: it is not what its name says",
            )
        return content


class FolderBundle(Bundle):
    """A folder, with everything below it that is no link."""

    def _heads(self) -> Iterator[tuple[str, bytes]]:
        for folder, folders, files in os.walk(self.path, onerror=self._refuse):
            folders.sort()
            links = [name for name in folders if Path(folder, name).is_symlink()]
            for name in sorted([*files, *links]):
                path = Path(folder, name).relative_to(self.path).as_posix()
                if self._is_plain(path, stat.S_ISREG(Path(folder, name).lstat().st_mode)):
                    try:
                        with self.open(path) as file:
                            yield path, file.read(HEAD_BYTES)
                    except OSError as error:
                        self._refuse(error)

    def _refuse(self, error: OSError) -> None:
        self.refused.append(f"{error.filename} ({error.strerror})")

    def open(self, path: str) -> IO[bytes]:
        return os.fdopen(os.open(self.path / path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC), "rb")

    def disk(self) -> Disk:
        return LocalDisk(copy=str(self.path))


class TarBundle(Bundle):
    """A tar, plain or compressed by gzip, bzip2 or xz. Of two files of one name the later one counts, as in tar.

    The one pass of `find` keeps what belongs to log dirs, which are thousands of small files, as far as `kept` allows.
    """

    def __init__(self, path: Path, tar: tarfile.TarFile, kept: Budget) -> None:
        super().__init__(path)
        self._tar = tar
        self._members: dict[str, tarfile.TarInfo] = {}
        self._disk = TarDisk(kept)
        self._is_too_much = False

    def _heads(self) -> Iterator[tuple[str, bytes]]:
        try:
            for member in members(self._tar):
                if not member.is_directory and self._is_plain(member.path, member.is_file):
                    self._members[member.path] = member.info
                    yield member.path, member.head(HEAD_BYTES)
                    if member.path not in self._wanted:
                        del self._members[member.path]
                self._keep(member)
        except DAMAGED as error:
            raise UsageError(
                f"{self.path} is damaged or cut off ({error}): fetch or make it again"
            ) from error

    def _keep(self, member: Member) -> None:
        if not self._is_too_much:
            try:
                self._disk.take(member)
            except NotReadError:
                self._is_too_much = True

    def open(self, path: str) -> IO[bytes]:
        file = self._tar.extractfile(self._members[path])
        assert file is not None
        return file

    def disk(self) -> Disk:
        if self._is_too_much:
            raise NotReadError(
                GapReason.UNREADABLE,
                f"{self.path} holds more of log dirs than is kept in memory: make a bundle for every few brokers",
            )
        return self._disk


@contextmanager
def open_bundle(path: Path, kept: Budget | None = None) -> Iterator[Bundle]:
    """The bundle at `path`; `kept` is how much of log dirs may be held in memory, nothing where it is not given.

    Raises UsageError when there is neither a folder nor a tar.
    """
    if path.is_dir():
        yield FolderBundle(path)
        return
    with _opened(path) as file, _tar(path, file) as tar:
        yield TarBundle(path, tar, kept or Budget(0, 0))


def _opened(path: Path) -> IO[bytes]:
    try:
        return path.open("rb")
    except FileNotFoundError:
        raise UsageError(f"There is no {path}: name a folder or a tar") from None
    except PermissionError:
        raise UsageError(f"{path} may not be read: let the user Varve runs as read it") from None


def _tar(path: Path, file: IO[bytes]) -> tarfile.TarFile:
    try:
        return open_file(file)
    except DAMAGED as error:
        raise UsageError(
            f"{path} is neither a folder nor a tar, plain or compressed by gzip, bzip2 or xz, or it is cut off"
        ) from error
