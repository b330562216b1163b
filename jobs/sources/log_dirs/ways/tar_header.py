"""Headers of a tar that may be cut off or made to do harm."""

import math
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
