"""The members of a tar stream that is never extracted, one after the other, within bounds."""

import lzma
import tarfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Protocol

from jobs.sources.log_dirs.contents import Budget, NotReadError
from jobs.tar_header import WholeHeader


class Stream(Protocol):
    """Where the bytes of a tar stream come from."""

    def read(self, size: int, /) -> bytes: ...


class Member:
    """A member by the parts of its normalised path; `parts` is empty where it points out of the stream."""

    def __init__(self, tar: tarfile.TarFile, info: tarfile.TarInfo) -> None:
        parts = [part for part in info.name.split("/") if part not in ("", ".")]
        self.parts = [] if ".." in parts else parts
        self.is_directory = info.isdir()
        self.is_file = info.isreg()
        self.size = info.size
        self.modified_ns = int(info.mtime * 1_000_000_000)
        self._tar, self._info = tar, info

    def read(self) -> bytes:
        """The content; only while this is the newest member."""
        content = self._tar.extractfile(self._info)
        return content.read() if content else b""


def members(stream: Stream, budget: Budget) -> Iterator[Member]:
    """Every member of a tar stream, compressed (gzip, bzip2, xz) or not.

    Raises NotReadError where the stream is larger than the budget, and what `refusing_broken_streams` turns into one.
    """
    read = 0
    with tarfile.open(fileobj=_as_file(stream), mode="r|*", tarinfo=WholeHeader, bufsize=1 << 16) as tar:
        while (info := tar.next()) is not None:
            tar.members = []  # type: ignore[attr-defined] # or it keeps every member it has seen
            budget.spend(tar.offset - read)
            read = tar.offset
            yield Member(tar, info)


@contextmanager
def refusing_broken_streams() -> Iterator[None]:
    """Raises NotReadError where a stream is cut off or broken."""
    try:
        yield
    except (tarfile.TarError, EOFError, zlib.error, lzma.LZMAError) as error:
        raise NotReadError("unreadable", f"It is no whole tar stream ({error}): send it again.") from None


def _as_file(stream: Stream) -> IO[bytes]:
    return stream  # type: ignore[return-value] # tarfile only calls read
