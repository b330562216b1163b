"""Headers of a tar that may be cut off or made to do harm."""

import tarfile
from typing import Self

_LONGEST_NAME = 1 << 20
_HEADERS_WITH_DATA = (
    tarfile.XHDTYPE,
    tarfile.XGLTYPE,
    tarfile.SOLARIS_XHDTYPE,
    tarfile.GNUTYPE_LONGNAME,
    tarfile.GNUTYPE_LONGLINK,
)


class WholeHeader(tarfile.TarInfo):
    """Refuses what `tarfile` takes for the end of the stream or would read into memory whatever its size."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
        if len(buf) < tarfile.BLOCKSIZE:
            raise tarfile.ReadError("it ends before its end" if buf else "it ends too early or is empty")
        try:
            header = super().frombuf(buf, encoding, errors)
        except tarfile.HeaderError:
            if any(buf):
                raise tarfile.ReadError("a header is broken") from None
            raise
        if header.type in _HEADERS_WITH_DATA and header.size > _LONGEST_NAME:
            raise tarfile.ReadError(f"a name of {header.size} bytes")
        return header
