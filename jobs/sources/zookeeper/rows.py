"""Znodes as rows of the table `znodes`."""

from base64 import b64encode
from collections.abc import Iterable

import numpy as np
import pyarrow as pa

from jobs.lake.arrow import arrow_schema
from jobs.sources.zookeeper.redact import Fingerprint, redact_data, redact_path
from jobs.sources.zookeeper.wire import STAT_FIELDS, Data, read_zxids
from schemas.zookeeper import ZNODES

_SCHEMA = arrow_schema(ZNODES.columns)


def znode_table(znodes: Iterable[tuple[str, Data]], fingerprint: Fingerprint) -> pa.Table:
    """The rows of some znodes, each with its path below the chroot. Stats go by column, never one by one."""
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
    """Columns of the stats; ZooKeeper's milliseconds become the lake's microseconds."""
    read = np.frombuffer(b"".join(stats), np.dtype(STAT_FIELDS))
    columns: dict[str, pa.Array] = {}
    for name, _ in STAT_FIELDS:
        values = read[name].astype(np.int64) * (1000 if name in ("ctime", "mtime") else 1)
        # Not `pa.array`, which imports pandas to look at a NumPy array.
        columns[name] = pa.Array.from_buffers(pa.int64(), len(values), [None, pa.py_buffer(values)])
    return columns


def _readable(path: str, data: bytes | None, fingerprint: Fingerprint) -> tuple[str | None, str]:
    if data is None:
        return None, "utf-8"
    redacted = redact_data(path, data, fingerprint) if data else None
    if redacted is not None:
        return redacted, "redacted"
    try:
        return data.decode(), "utf-8"
    except UnicodeDecodeError:
        return b64encode(data).decode(), "base64"
