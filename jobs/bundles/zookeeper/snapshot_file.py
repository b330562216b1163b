"""A server's snapshot file, `snapshot.<zxid>`: `FileSnap`, `SerializeUtils`, `DataTree.serialize` of ZooKeeper 3.5 to 3.9.

A header, the sessions, the cache of ACLs, the znodes until the path `/`, and a seal: the Adler-32 of all bytes before
it. Since 3.6 a digest of the tree and the zxid it is of may follow, since 3.9 the zxid alone, each with a seal again.
"""

import zlib
from dataclasses import dataclass
from struct import Struct

from jobs.bundles.zookeeper.data_tree import DataTree, Znode
from jobs.bundles.zookeeper.jute import Jute, JuteError

MAGIC = b"ZKSN"
_HEADER = Struct("!iiq")
_STAT = Struct("!qqqqiiiqq")
"""`StatPersisted`, in the order of the fields of `Znode`."""
_END = "/"
_DIGEST, _ZXID = Struct("!qiq"), Struct("!q")
_AFTER_THE_TREE = {0: (), 21: (_ZXID,), 33: (_DIGEST,), 54: (_DIGEST, _ZXID)}
"""By how many bytes are left: a server may be told to write no digest."""


@dataclass(frozen=True)
class SnapshotFile:
    """The tree of a snapshot. `ended_at` is the last transaction in it when its writing ended, where the file tells."""

    tree: DataTree
    ended_at: int | None


def read_snapshot(content: bytes) -> SnapshotFile:
    """The snapshot whose bytes these are, not compressed. Raises JuteError when they are not one, or not a whole one."""
    if not content.startswith(MAGIC):
        raise JuteError("it does not begin with ZKSN")
    jute = Jute(content)
    jute.read_struct(_HEADER)
    jute.read_vector(lambda: (jute.read_long(), jute.read_int()))
    jute.read_vector(lambda: _skip_cached_acl(jute))
    tree = _read_tree(jute)
    _check_seal(jute)
    after = _AFTER_THE_TREE.get(len(content) - jute.offset)
    if after is None:
        raise JuteError(f"what follows its tree, from byte {jute.offset} on, is not known")
    return SnapshotFile(tree, max((_read_sealed(jute, struct) for struct in after), default=None))


def _read_tree(jute: Jute) -> DataTree:
    tree = DataTree()
    while (path := jute.read_string()) != _END:
        data = jute.read_bytes()
        jute.read_long()
        tree.add(path or "/", Znode(data, *jute.read_struct(_STAT)))
    return tree


def _skip_cached_acl(jute: Jute) -> None:
    jute.read_long()
    jute.skip_acl()


def _read_sealed(jute: Jute, struct: Struct) -> int:
    zxid = jute.read_struct(struct)[0]
    _check_seal(jute)
    return zxid


def _check_seal(jute: Jute) -> None:
    checksum = zlib.adler32(memoryview(jute.buffer)[: jute.offset])
    if jute.read_long() != checksum or jute.read_string() != _END:
        raise JuteError("its checksum is wrong")
