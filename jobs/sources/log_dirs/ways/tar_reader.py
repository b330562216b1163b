"""The one reader of tars, which may be cut off or made to do harm: member after member, within bounds, never extracted."""

import bz2
import gzip
import lzma
import math
import tarfile
import zlib
from collections.abc import Callable, Iterator
from typing import IO, Any, Protocol, Self, cast

DAMAGED = (tarfile.TarError, EOFError, zlib.error, lzma.LZMAError, OSError)
"""What reading a tar raises when it is cut off, broken, or none at all."""

_COMPRESSED: dict[bytes, Callable[[Any], Any]] = {
    b"\x1f\x8b": gzip.open,
    b"BZh": bz2.open,
    b"\xfd7zXZ\0": lzma.open,
}
_MAGIC_BYTES = 6
_BLOCK = 1 << 16
_LONGEST_NAME = 1 << 20
_HEADERS_WITH_DATA = (
    tarfile.XHDTYPE,
    tarfile.XGLTYPE,
    tarfile.SOLARIS_XHDTYPE,
    tarfile.GNUTYPE_LONGNAME,
    tarfile.GNUTYPE_LONGLINK,
)


class Stream(Protocol):
    """Where the bytes of a tar come from."""

    def read(self, size: int, /) -> bytes: ...


class Member:
    """A member by the parts of its normalised path; `parts` is empty where it points out of the tar."""

    def __init__(self, tar: tarfile.TarFile, info: tarfile.TarInfo) -> None:
        parts = [part for part in info.name.split("/") if part not in ("", ".")]
        self.path = "/".join(parts)
        self.parts = [] if ".." in parts else parts
        self.is_directory = info.isdir()
        self.is_file = info.isreg()
        self.size = info.size
        self.modified_ns = int(info.mtime * 1_000_000_000)
        self.info = info
        self._tar, self._read = tar, b""
        self._file: IO[bytes] | None = None

    def head(self, size: int) -> bytes:
        """The first bytes of a file; only while this is the newest member."""
        if len(self._read) < size:
            self._read += self._content().read(size - len(self._read))
        return self._read[:size]

    def read(self) -> bytes:
        """The content; only while this is the newest member. It takes `size` bytes, holes of a sparse file included."""
        self._read += self._content().read()
        return self._read

    def _content(self) -> IO[bytes]:
        if self._file is None:
            self._file = self._tar.extractfile(self.info)
        assert self._file is not None, "only files have content"
        return self._file


def open_stream(stream: Stream) -> tarfile.TarFile:
    """A tar, compressed (gzip, bzip2, xz) or not, that is read once from its beginning to its end."""
    begins = _begins(stream)
    unpacked = _unpacked(begins, _Again(begins, stream))
    return tarfile.open(fileobj=unpacked, mode="r|", tarinfo=WholeHeader, bufsize=_BLOCK)


def open_file(file: IO[bytes]) -> tarfile.TarFile:
    """The same of a file, in which what was passed over can be read again later."""
    begins = _begins(file)
    file.seek(0)
    return tarfile.open(fileobj=_unpacked(begins, file), mode="r:", tarinfo=WholeHeader)


def members(tar: tarfile.TarFile, spend: Callable[[int], None] = lambda _: None) -> Iterator[Member]:
    """Every member; `spend` is told how many bytes the tar took.

    Raises one of DAMAGED where the tar is broken, is cut off or goes on after its end.
    """
    read = 0
    while (info := tar.next()) is not None:
        tar.members = []  # type: ignore[attr-defined] # or it keeps every member it has seen
        spend(tar.offset - read)
        read = tar.offset
        yield Member(tar, info)
    _refuse_more(cast(Stream, tar.fileobj), spend)


def _refuse_more(rest: Stream, spend: Callable[[int], None]) -> None:
    """What is behind the end of a tar would go unseen, and read as gone. Zeros there only fill a block."""
    while more := rest.read(_BLOCK):
        spend(len(more))
        if more.strip(b"\0"):
            raise tarfile.ReadError("it goes on after its end: send one tar, not several")


def _begins(stream: Stream) -> bytes:
    begins = b""
    while len(begins) < _MAGIC_BYTES and (more := stream.read(_MAGIC_BYTES - len(begins))):
        begins += more
    return begins


def _unpacked(begins: bytes, whole: Any) -> IO[bytes]:
    """Without the compression: what `tarfile` does itself costs the square of how well a stream is compressed."""
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


class WholeHeader(tarfile.TarInfo):
    """Refuses what `tarfile` takes for the end of the tar or would read into memory whatever its size."""

    @classmethod
    def fromtarfile(cls, tar: tarfile.TarFile) -> Self:
        """What `tarfile` lets through of a header that is none are plain ValueErrors, or the end of the stack."""
        try:
            header = super().fromtarfile(tar)
            math.trunc(header.mtime)
        except (ValueError, OverflowError, RecursionError):
            raise _broken() from None
        return header

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
        if len(buf) < tarfile.BLOCKSIZE:
            raise tarfile.ReadError("it ends before its end" if buf else "it ends too early or is empty")
        try:
            header = super().frombuf(buf, encoding, errors)
        except tarfile.HeaderError:
            if any(buf):
                raise _broken() from None
            raise
        if header.type in _HEADERS_WITH_DATA and header.size > _LONGEST_NAME:
            raise tarfile.ReadError(f"a name of {header.size} bytes")
        return header


def _broken() -> tarfile.ReadError:
    return tarfile.ReadError("a header is broken")
