"""The members of a tar stream that is never extracted, one after the other, within bounds."""

import bz2
import gzip
import lzma
import tarfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO, Any, Protocol, cast

from jobs.errors import NotReadError
from jobs.sources.log_dirs.contents import Budget
from jobs.sources.log_dirs.ways.tar_header import WholeHeader
from schemas.snapshots import GapReason

_COMPRESSED: dict[bytes, Callable[[Any], Any]] = {
    b"\x1f\x8b": gzip.open,
    b"BZh": bz2.open,
    b"\xfd7zXZ\0": lzma.open,
}
_MAGIC_BYTES = 6
_BLOCK = 1 << 16


class Stream(Protocol):
    """Where the bytes of a tar stream come from."""

    def read(self, size: int, /) -> bytes: ...


class Member:
    """A member by the parts of its normalised path; `parts` is empty where it points out of the stream."""

    def __init__(self, tar: tarfile.TarFile, info: tarfile.TarInfo, budget: Budget) -> None:
        parts = [part for part in info.name.split("/") if part not in ("", ".")]
        self.parts = [] if ".." in parts else parts
        self.is_directory = info.isdir()
        self.is_file = info.isreg()
        self.size = info.size
        self.modified_ns = int(info.mtime * 1_000_000_000)
        self._tar, self._info, self._budget = tar, info, budget

    def read(self) -> bytes:
        """The content; only while this is the newest member. The holes of a sparse one are in no stream, yet take room."""
        if self._info.issparse():
            self._budget.spend(self.size)
        content = self._tar.extractfile(self._info)
        return content.read() if content else b""


def members(stream: Stream, budget: Budget) -> Iterator[Member]:
    """Every member of a tar stream, compressed (gzip, bzip2, xz) or not.

    Raises NotReadError where the stream is larger than the budget or goes on after its end, and what
    `refusing_broken_streams` turns into one.
    """
    read = 0
    with tarfile.open(fileobj=_unpacked(stream), mode="r|", tarinfo=WholeHeader, bufsize=_BLOCK) as tar:
        while (info := tar.next()) is not None:
            tar.members = []  # type: ignore[attr-defined] # or it keeps every member it has seen
            budget.spend(tar.offset - read)
            read = tar.offset
            yield Member(tar, info, budget)
        _refuse_more(cast(Stream, tar.fileobj), budget)


def _refuse_more(rest: Stream, budget: Budget) -> None:
    """What is behind the end of a stream would go unseen, and read as gone. Zeros there only fill a block."""
    while more := rest.read(_BLOCK):
        budget.spend(len(more))
        if more.strip(b"\0"):
            raise tarfile.ReadError("it goes on after its end: send one tar, not several")


@contextmanager
def refusing_broken_streams() -> Iterator[None]:
    """Raises NotReadError where a stream is cut off or broken."""
    try:
        yield
    except (tarfile.TarError, EOFError, zlib.error, lzma.LZMAError, OSError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise
        raise NotReadError(
            GapReason.UNREADABLE,
            f"It is no whole tar stream, plain or compressed by gzip, bzip2 or xz ({error}): send it again.",
        ) from None


def _unpacked(stream: Stream) -> IO[bytes]:
    """The stream without its compression: what `tarfile` does itself costs the square of how well it is compressed."""
    begins = b""
    while len(begins) < _MAGIC_BYTES and (more := stream.read(_MAGIC_BYTES - len(begins))):
        begins += more
    whole: Any = _Again(begins, stream)
    opened = next((of_kind for magic, of_kind in _COMPRESSED.items() if begins.startswith(magic)), None)
    unpacked: IO[bytes] = opened(whole) if opened else whole
    return unpacked


class _Again:
    """A stream whose first bytes were read already."""

    def __init__(self, begins: bytes, stream: Stream) -> None:
        self._begins = begins
        self._stream = stream

    def read(self, size: int, /) -> bytes:
        if self._begins:
            first, self._begins = self._begins[:size], self._begins[size:]
            return first
        return self._stream.read(size)
