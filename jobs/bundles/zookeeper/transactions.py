"""A server's transaction log, `log.<zxid>`: `FileTxnLog`, `TxnHeader` of ZooKeeper 3.5 to 3.9.

A header, then for each transaction its Adler-32, its length, its bytes and a `B`; the file is longer than what was
written to it and goes on with zeros. A server that died leaves the last transaction cut.
"""

import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from struct import Struct
from typing import IO

from jobs.bundles.zookeeper.jute import Jute, JuteError

MAGIC = b"ZKLG"
MAX_TRANSACTION_BYTES = 64 * 1024 * 1024
_FILE_HEADER = 16
_FRAME = Struct("!qi")
_HEADER = Struct("!qiqqi")


@dataclass(frozen=True, slots=True)
class Transaction:
    """One transaction (`TxnHeader`): `type` is an `OpCode`, `body` what is particular to the type, from its beginning."""

    session: int
    zxid: int
    time: int
    type: int
    body: bytes


def read_log(file: IO[bytes]) -> Iterator[Transaction]:
    """The transactions of a log, up to its end or to where it was cut.

    Raises JuteError for a file that is no log, and after the last good transaction where a later one is broken.
    """
    header = file.read(_FILE_HEADER)
    if header and not header.startswith(MAGIC[: len(header)]):
        raise JuteError("it does not begin with ZKLG")
    while len(frame := file.read(_FRAME.size)) == _FRAME.size:
        checksum, length = _FRAME.unpack(frame)
        if length == 0:
            return
        if not 0 < length <= MAX_TRANSACTION_BYTES:
            raise JuteError(f"a transaction of {length} bytes is announced")
        written = file.read(length)
        if len(written) < length or file.read(1) != b"B":
            return
        if zlib.adler32(written) != checksum:
            raise JuteError("the checksum of a transaction is wrong")
        yield _transaction(written)


def _transaction(written: bytes) -> Transaction:
    jute = Jute(written)
    session, _cxid, zxid, time, kind = jute.read_struct(_HEADER)
    return Transaction(session, zxid, time, kind, written[jute.offset :])
