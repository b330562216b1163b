"""Lands znodes as rows of the table `znodes`, with secrets replaced."""

from base64 import b64encode
from collections.abc import Iterable
from itertools import islice

import numpy as np
import pyarrow as pa

from jobs.lake.arrow import arrow_schema
from jobs.landing.landing import ROWS_PER_FILE, Landing
from jobs.sources.zookeeper.chroot import below
from jobs.sources.zookeeper.connection.stat import STAT_FIELDS, read_zxids
from jobs.sources.zookeeper.connection.wire import Data
from jobs.sources.zookeeper.redact import Fingerprint, redact_data, redact_path
from jobs.sources.zookeeper.walk import Walk
from schemas.snapshots import GapReason
from schemas.zookeeper import ZNODES

_SCHEMA = arrow_schema(ZNODES.columns)


def land_settled(seen: Walk, chroot: str, doubt: str, landing: Landing) -> None:
    """Land the settled znodes of a tree, and for each unsettled path a gap with the message `doubt`."""
    fingerprint = landing.redactor.fingerprint
    landing.zxid, landing.unsettled = seen.zxid, len(seen.unsettled)
    for path in seen.doubts():
        landing.gap(redact_path(below(path, chroot), None, fingerprint), GapReason.UNSETTLED, doubt)
    znodes = ((below(path, chroot), znode) for path, znode in seen.settled())
    while some := list(islice(znodes, ROWS_PER_FILE)):
        landing.table("znodes", znode_table(some, fingerprint))


def znode_table(znodes: Iterable[tuple[str, Data]], fingerprint: Fingerprint) -> pa.Table:
    """The rows of these znodes; each comes with its path below the chroot. Stats are read as whole columns, for speed."""
    paths: list[str] = []
    texts: list[str | None] = []
    encodings: list[str] = []
    stats: list[bytes] = []
    for path, (data, stat) in znodes:
        text, encoding = _readable(path, data, fingerprint)
        paths.append(redact_path(path, read_zxids(stat)[0], fingerprint))
        texts.append(text)
        encodings.append(encoding)
        stats.append(stat)
    columns = {"path": pa.array(paths), "data": pa.array(texts, "string"), "encoding": pa.array(encodings)}
    columns |= _stat_columns(stats)
    return pa.table([columns[name].cast(_SCHEMA.field(name).type) for name in _SCHEMA.names], schema=_SCHEMA)


def _stat_columns(stats: list[bytes]) -> dict[str, pa.Array]:
    """The stats as columns; times go from milliseconds to microseconds since the epoch."""
    read = np.frombuffer(b"".join(stats), np.dtype(STAT_FIELDS))
    columns: dict[str, pa.Array] = {}
    for name, _ in STAT_FIELDS:
        values = read[name].astype(np.int64) * (1000 if name in ("ctime", "mtime") else 1)
        # `pa.array` would import pandas to read a NumPy array.
        columns[name] = pa.Array.from_buffers(pa.int64(), len(values), [None, pa.py_buffer(values)])
    return columns


def _readable(path: str, data: bytes | None, fingerprint: Fingerprint) -> tuple[str | None, str]:
    """The columns `data` and `encoding`."""
    if data is None:
        return None, "utf-8"
    redacted = redact_data(path, data, fingerprint) if data else None
    if redacted is not None:
        return redacted, "redacted"
    try:
        return data.decode(), "utf-8"
    except UnicodeDecodeError:
        return b64encode(data).decode(), "base64"
