"""What every way to a log dir answers: the few operations that the one algorithm in `walk.py` needs."""

from dataclasses import dataclass
from stat import S_IFDIR, S_IFREG
from typing import NamedTuple, Protocol

DIRECTORY, FILE = S_IFDIR, S_IFREG
"""Modes of what has none of its own."""


class Stat(Protocol):
    """What is known of a file or a directory without reading it, as in `os.stat_result`.

    The mode may also be that of a device, of a link that leads nowhere, or of a link that is not followed.
    """

    @property
    def st_mode(self) -> int: ...

    @property
    def st_size(self) -> int: ...

    @property
    def st_mtime_ns(self) -> int: ...


class KnownStat(NamedTuple):
    """A Stat that is told by something other than the operating system."""

    st_mode: int
    st_size: int
    st_mtime_ns: int


@dataclass(frozen=True)
class FileSystem:
    """The file system that a directory is on. `identity` changes when another one is mounted there; None is unknown."""

    identity: object = None
    total_bytes: int | None = None
    free_bytes: int | None = None


class Disk(Protocol):
    """A place that holds log dirs. Paths are those of the disk.

    Each operation raises OSError as the operating system would, and NotReadError when the way to the disk is lost and
    nothing more can be read from it. They are asynchronous for the sake of SFTP, where many must be under way at once;
    the others answer without waiting.
    """

    shows_all: bool
    """Whether a listing shows every file of a directory; a tar may hold the small ones alone."""

    async def file_system(self, path: str) -> FileSystem:
        """The file system of a directory."""

    async def list(self, path: str) -> dict[str, Stat]:
        """The names in a directory, and what they, or the links of that name, lead to."""

    async def stat(self, path: str) -> Stat:
        """What a path, or the link there, leads to."""

    async def read(self, path: str, size: int) -> tuple[bytes, Stat]:
        """The first `size` bytes of a file, or more where it has more, and what is known of the file after that."""
