"""What `org.apache.zookeeper.server.SnapshotFormatter -d` prints of a snapshot file (ZooKeeper 3.6 to 3.9).

Znodes with the fields of `StatPersisted`, parents first, the data in base64; then the sessions and the last zxid.
It tells times to the second, and no difference between null and empty data: Kafka's empty znodes are null.
"""

import re
from base64 import b64decode
from binascii import Error
from datetime import UTC, datetime

from jobs.bundles.zookeeper.data_tree import DataTree, Znode
from jobs.bundles.zookeeper.jute import JuteError

BEGINS = re.compile(r"^ZNode Details \(count=(\d+)\):$", re.MULTILINE)
_RULE = "\n----\n"
_LAST_ZXID = re.compile(r"^Last zxid: 0x([0-9a-f]+)$", re.MULTILINE)
_FIELD = re.compile(r"^  (\w+) = (.*)$", re.MULTILINE)
_ROOT_AGAIN = 1
"""The server knows its root by two names, `` and `/`, and counts both."""
_JAVA_DATE = re.compile(r"(?P<day>\w{3} \w{3} \d\d \d\d:\d\d:\d\d) (?P<zone>\S+) (?P<year>\d+)")
_DATE = "%a %b %d %H:%M:%S %Y"


def read_dump(text: str) -> tuple[DataTree, int]:
    """The tree and its last zxid. Raises JuteError when it is no such output, or not all of it."""
    begins, last = BEGINS.search(text), _LAST_ZXID.search(text)
    if begins is None or last is None:
        raise JuteError(
            "it is not the whole output, from `ZNode Details` to `Last zxid`: run SnapshotFormatter of ZooKeeper 3.6 or "
            "newer with -d (-json prints no data)"
        )
    tree = DataTree()
    for part in text[begins.end() : last.start()].split(_RULE)[1:]:
        path, _, fields = part.partition("\n")
        if path.startswith("/"):
            tree.add(path, _znode(path, dict(_FIELD.findall(fields))))
    announced = int(begins[1]) - _ROOT_AGAIN
    if len(tree.znodes) != announced:
        raise JuteError(f"it announces {announced} znodes and holds {len(tree.znodes)}")
    return tree, int(last[1], 16)


def _znode(path: str, fields: dict[str, str]) -> Znode:
    if "data" not in fields:
        raise JuteError("it holds no data: run SnapshotFormatter with -d")
    try:
        return Znode(
            b64decode(fields["data"], validate=True) or None,
            *(int(fields[name], 16) for name in ("cZxid", "mZxid")),
            *(_milliseconds(fields[name]) for name in ("ctime", "mtime")),
            *(int(fields[name]) for name in ("dataVersion", "cversion", "aclVersion")),
            *(_signed(int(fields[name], 16)) for name in ("ephemeralOwner", "pZxid")),
        )
    except (KeyError, ValueError, Error) as error:
        raise JuteError(f"of {path} it tells something else than expected ({error})") from error


def _signed(value: int) -> int:
    return value - 2**64 if value >= 2**63 else value


def _milliseconds(written: str) -> int:
    """`java.util.Date.toString`: `Sat Nov 21 05:01:25 UTC 2026`. Other zones' short names are not unique."""
    date = _JAVA_DATE.fullmatch(written)
    if date is None:
        raise ValueError(f"{written!r} is no date")
    if date["zone"] not in ("UTC", "GMT"):
        raise JuteError(f"its times are in {date['zone']}: run SnapshotFormatter with -Duser.timezone=UTC")
    instant = datetime.strptime(f"{date['day']} {date['year']}", _DATE).replace(tzinfo=UTC)
    return int(instant.timestamp()) * 1000
