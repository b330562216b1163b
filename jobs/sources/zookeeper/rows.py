"""A znode as a row of the table `znodes`."""

from base64 import b64encode
from datetime import UTC, datetime
from typing import Any

from jobs.sources.zookeeper.redact import Fingerprint, redact_data, redact_path
from jobs.sources.zookeeper.wire import Data, read_stat


def znode_row(path: str, znode: Data, fingerprint: Fingerprint) -> tuple[Any, ...]:
    """The row of the znode at `path` below the chroot, in the order of `ZNODES.columns`."""
    data, encoding = _readable(path, znode[0], fingerprint)
    stat = read_stat(znode[1])
    return (
        redact_path(path, stat.czxid, fingerprint),
        data,
        encoding,
        stat.czxid,
        stat.mzxid,
        stat.pzxid,
        _instant(stat.ctime),
        _instant(stat.mtime),
        stat.version,
        stat.cversion,
        stat.aversion,
        stat.ephemeral_owner,
        stat.data_length,
        stat.num_children,
    )


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


def _instant(milliseconds: int) -> datetime:
    return datetime.fromtimestamp(milliseconds / 1000, UTC)
