"""The znodes as a ZooKeeper server holds them in memory, and what its transactions do to them.

After `org.apache.zookeeper.server.DataTree` of ZooKeeper 3.9: a transaction may be applied to a tree that has seen
it already (a snapshot is written while the tree moves), and leaves it as if it had been applied once.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from jobs.bundles.zookeeper.jute import JuteError
from jobs.sources.zookeeper.connection.stat import Stat, write_stat
from jobs.sources.zookeeper.connection.wire import Data

_NO_SESSION = -(2**63)
_TIMES_TO_LIVE = -(2**56)
"""`EphemeralType`: owners of containers, and from here to -1 of znodes with a time to live; clients read 0 for both."""


@dataclass(slots=True)
class Znode:
    """A znode as it is on disk (`DataNode`, `StatPersisted`): `cversion` counts the children ever created."""

    data: bytes | None
    czxid: int
    mzxid: int
    ctime: int
    mtime: int
    version: int
    cversion: int
    aversion: int
    owner: int
    pzxid: int
    num_children: int = 0

    @property
    def last_zxid(self) -> int:
        """The last transaction that shows in it."""
        return max(self.czxid, self.mzxid, self.pzxid)

    def read(self) -> Data:
        """What a client reads (`DataNode.copyStat`): `cversion` counts what was created and what was deleted."""
        is_of_a_session = self.owner >= 0 or _NO_SESSION < self.owner < _TIMES_TO_LIVE
        stat = Stat(
            self.czxid,
            self.mzxid,
            self.ctime,
            self.mtime,
            self.version,
            self.cversion * 2 - self.num_children,
            self.aversion,
            self.owner if is_of_a_session else 0,
            len(self.data or b""),
            self.num_children,
            self.pzxid,
        )
        return self.data, write_stat(stat)


class DataTree:
    """Znodes by path; the root is `/`."""

    def __init__(self) -> None:
        self.znodes: dict[str, Znode] = {}
        self._of_session: dict[int, set[str]] = defaultdict(set)

    def add(self, path: str, znode: Znode) -> None:
        """Take over a znode of a snapshot, after its parent. Raises JuteError when it has none."""
        if path != "/":
            parent = self.znodes.get(parent_of(path))
            if parent is None:
                raise JuteError(f"{path} is there, and its parent is not")
            parent.num_children += path not in self.znodes
        self._put(path, znode)

    def create(self, path: str, znode: Znode, parent_cversion: int) -> None:
        """`createNode`, and `setCversionPzxid` where the snapshot holds the znode already.

        `parent_cversion` is what the parent's becomes, unless it is that far or further already.
        """
        parent = self.znodes.get(parent_of(path))
        if parent is None:
            return
        if parent_cversion > parent.cversion:
            parent.cversion, parent.pzxid = parent_cversion, znode.czxid
        if path not in self.znodes:
            parent.num_children += 1
            self._put(path, znode)

    def delete(self, path: str, zxid: int) -> None:
        """`deleteNode`."""
        parent = self.znodes.get(parent_of(path))
        if parent is None or path == "/":
            return
        parent.pzxid = max(parent.pzxid, zxid)
        if gone := self._pop(path):
            parent.num_children -= 1
        if gone and gone.num_children:
            # The snapshot holds them of a later znode of that path: their own transactions bring them again.
            for orphan in [other for other, _ in self.below(path)]:
                self._pop(orphan)

    def close_session(self, session: int, paths: Iterable[str], zxid: int) -> None:
        """`killSession`: the znodes the transaction names (since 3.6) and those the session owns."""
        for path in {*paths, *self._of_session.pop(session, ())}:
            self.delete(path, zxid)

    def below(self, root: str) -> Iterator[tuple[str, Znode]]:
        """The znode `root` and all below it."""
        inside = root.rstrip("/") + "/"
        return ((path, node) for path, node in self.znodes.items() if path == root or path.startswith(inside))

    def _pop(self, path: str) -> Znode | None:
        gone = self.znodes.pop(path, None)
        if gone:
            self._of_session[gone.owner].discard(path)
        return gone

    def _put(self, path: str, znode: Znode) -> None:
        self.znodes[path] = znode
        if znode.owner:
            self._of_session[znode.owner].add(path)


def parent_of(path: str) -> str:
    """The path above; `/` above the uppermost."""
    return path.rpartition("/")[0] or "/"
