"""Walks a tree that may change meanwhile, and finds what is proven to be as it was at one moment, the zxid Z.

The session has seen Z before the walk begins, so every read shows the tree at Z or later. A fact is proven, "settled",
by one of three rules:
- Data read with mzxid <= Z is the data at Z.
- A list of children is the list at Z when the parent's pzxid, read after the list, is <= Z.
- A list of children is the list at Z when the parent's pzxid, read before the list, is <= Z, the list is as long as
  that stat says, and every child has czxid <= Z: these children existed at Z, and there were no others.
Everything else is unsettled. Two things change without a new zxid, so they are what they were when they were read and
not at Z: `aversion`, and the data of `zookeeper_stats` below /zookeeper/quota, where the server counts for its quotas.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

from jobs.sources.zookeeper.connection.reading import Read
from jobs.sources.zookeeper.connection.stat import STAT_BYTES, read_zxids
from jobs.sources.zookeeper.connection.wire import CHILDREN, DATA, NO_NODE, Data, Operation, Reply

_BYTES_PER_NAME = 64


@dataclass
class Walk:
    """What one walk saw of the tree.

    Nothing is proven at or below a path in `unsettled`, in `refused` (with ZooKeeper's error code) or in `left_out`
    (not in the subtrees that were asked for).
    """

    zxid: int
    znodes: dict[str, Data] = field(default_factory=dict)
    unsettled: set[str] = field(default_factory=set)
    refused: dict[str, int] = field(default_factory=dict)
    left_out: set[str] = field(default_factory=set)

    def settled(self) -> Iterator[tuple[str, Data]]:
        """Every znode that is proven to have had this data and stat at `zxid`."""
        if not self.unsettled and not self.refused:
            return iter(self.znodes.items())
        return ((path, data) for path, data in self.znodes.items() if not self._in_doubt(path))

    def settled_count(self) -> int:
        """How many znodes are proven."""
        return sum(1 for _ in self.settled())

    def doubts(self) -> list[str]:
        """The uppermost unsettled paths, sorted."""
        return sorted(path for path in self.unsettled if not self._in_doubt(_parent(path)))

    def _in_doubt(self, path: str) -> bool:
        while path:
            if path in self.unsettled or path in self.refused:
                return True
            path = _parent(path)
        return False


def walk(read: Read, root: str, zxid: int, subtrees: Collection[str] = ()) -> Walk:
    """Read the tree under `root` level by level, or only these subtrees of it, and decide what is settled."""
    seen = Walk(zxid)
    level, only_children = [root], dict[str, str]()
    while level:
        parents = _visit(read, level, seen)
        _prove(read, only_children, seen)
        level, only_children = _descend(read, parents, seen)
        if subtrees:
            level = _within(subtrees, level, seen)
    return seen


def _within(subtrees: Collection[str], level: Sequence[str], seen: Walk) -> list[str]:
    """The paths of a level that are in one of the subtrees or lead to one."""
    wanted = [path for path in level if any(_on_one_branch(path, subtree) for subtree in subtrees)]
    seen.left_out.update(set(level) - set(wanted))
    return wanted


def _on_one_branch(path: str, other: str) -> bool:
    return f"{path}/".startswith(f"{other}/") or f"{other}/".startswith(f"{path}/")


def _visit(read: Read, level: Sequence[str], seen: Walk) -> dict[str, int]:
    """Read the data and stat of each path. Returns the number of children of the settled paths that have children."""
    zxid, znodes, parents = seen.zxid, seen.znodes, dict[str, int]()
    replies = read([Operation(DATA, path) for path in level])
    for path, reply in zip(level, replies, strict=True):
        if not isinstance(reply, tuple):
            _note_failure(path, reply, seen)
            continue
        znodes[path] = reply
        _, mzxid, num_children, pzxid = read_zxids(reply[1])
        if mzxid > zxid or pzxid > zxid:
            seen.unsettled.add(path)
        elif num_children:
            parents[path] = num_children
    return parents


def _descend(read: Read, parents: dict[str, int], seen: Walk) -> tuple[list[str], dict[str, str]]:
    """List the children of each parent. Returns the next level, and the lists of one child, which `_prove` has to prove."""
    replies = iter(read(list(_list_operations(parents, seen.znodes))))
    below: list[str] = []
    only_children: dict[str, str] = {}
    for path, count in parents.items():
        names = next(replies)
        is_exact = count == 1 or _unchanged(next(replies), seen.zxid)
        if not isinstance(names, list):
            _note_failure(path, names, seen)
        elif not is_exact or len(names) != count:
            seen.unsettled.add(path)
        else:
            prefix = "" if path == "/" else path
            below += [f"{prefix}/{name}" for name in names]
            if count == 1:
                only_children[path] = below[-1]
    return below, only_children


def _list_operations(parents: dict[str, int], znodes: dict[str, Data]) -> Iterator[Operation]:
    """For each parent its list and then its stat; for a list of one the stat is left out, the child's czxid may prove it."""
    for path, count in parents.items():
        yield Operation(CHILDREN, path, count * _BYTES_PER_NAME)
        if count > 1:
            yield _again(path, znodes[path])


def _again(path: str, znode: Data) -> Operation:
    return Operation(DATA, path, len(znode[0] or b"") + STAT_BYTES)


def _prove(read: Read, only_children: dict[str, str], seen: Walk) -> None:
    """Prove each list of one child: by the czxid of the child, or else by the parent's stat, read once more."""
    open_lists = [
        parent
        for parent, child in only_children.items()
        if child not in seen.znodes or read_zxids(seen.znodes[child][1])[0] > seen.zxid
    ]
    replies = read([_again(parent, seen.znodes[parent]) for parent in open_lists])
    for parent, reply in zip(open_lists, replies, strict=True):
        if not _unchanged(reply, seen.zxid):
            seen.unsettled.add(parent)


def _unchanged(reply: Reply | None, zxid: int) -> bool:
    return isinstance(reply, tuple) and read_zxids(reply[1])[3] <= zxid


def _note_failure(path: str, reply: Reply, seen: Walk) -> None:
    if reply == NO_NODE:
        seen.unsettled.add(path)
    elif isinstance(reply, int):
        seen.refused[path] = reply


def _parent(path: str) -> str:
    """The path above, `/` above the uppermost, nothing above `/`."""
    return "" if path == "/" else path.rpartition("/")[0] or "/"
