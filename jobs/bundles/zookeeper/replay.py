"""Applies transactions to a tree, as a server does when it loads: `DataTree.processTxn`, records of `zookeeper.jute`."""

from jobs.bundles.zookeeper.data_tree import DataTree, Znode
from jobs.bundles.zookeeper.jute import Jute, JuteError
from jobs.bundles.zookeeper.transactions import Transaction

_CREATE, _CREATE2, _CREATE_CONTAINER, _CREATE_TTL = 1, 15, 19, 21
_DELETE, _DELETE_CONTAINER = 2, 20
_SET_DATA, _RECONFIG, _SET_ACL = 5, 16, 7
_MULTI, _CHECK, _ERROR = 14, 13, -1
_CREATE_SESSION, _CLOSE_SESSION = -10, -11

_NOTHING = (_CHECK, _ERROR, _CREATE_SESSION)


def apply(tree: DataTree, txn: Transaction) -> None:
    """Do to the tree what the transaction did. Raises JuteError when it cannot be understood."""
    if txn.type == _MULTI:
        _apply_multi(tree, txn)
    elif txn.type == _CLOSE_SESSION:
        tree.close_session(txn.session, _paths(txn.body), txn.zxid)
    else:
        _apply_one(tree, txn)


def _apply_multi(tree: DataTree, txn: Transaction) -> None:
    """All of its parts, or none where one is an error."""
    jute = Jute(txn.body)
    parts = jute.read_vector(lambda: (jute.read_int(), jute.read_bytes() or b""))
    if any(kind == _ERROR for kind, _ in parts):
        return
    for kind, body in parts:
        _apply_one(tree, Transaction(txn.session, txn.zxid, txn.time, kind, body))


def _apply_one(tree: DataTree, txn: Transaction) -> None:
    if txn.type in _NOTHING:
        return
    jute = Jute(txn.body)
    if txn.type in (_CREATE, _CREATE2, _CREATE_CONTAINER, _CREATE_TTL):
        _create(tree, txn, jute)
    elif txn.type in (_DELETE, _DELETE_CONTAINER):
        tree.delete(jute.read_string(), txn.zxid)
    elif txn.type in (_SET_DATA, _RECONFIG):
        _set_data(tree, txn, jute)
    elif txn.type == _SET_ACL:
        _set_acl(tree, jute)
    else:
        raise JuteError(f"there is no transaction of type {txn.type}")


def _create(tree: DataTree, txn: Transaction, jute: Jute) -> None:
    path, data = jute.read_string(), jute.read_bytes()
    jute.skip_acl()
    may_be_ephemeral = txn.type in (_CREATE, _CREATE2)
    owner = txn.session if may_be_ephemeral and jute.read_bool() else 0
    zxid, time = txn.zxid, txn.time
    znode = Znode(data, zxid, zxid, time, time, version=0, cversion=0, aversion=0, owner=owner, pzxid=zxid)
    tree.create(path, znode, parent_cversion=jute.read_int())


def _set_data(tree: DataTree, txn: Transaction, jute: Jute) -> None:
    path, data, version = jute.read_string(), jute.read_bytes(), jute.read_int()
    if znode := tree.znodes.get(path):
        znode.data, znode.version, znode.mzxid, znode.mtime = data, version, txn.zxid, txn.time


def _set_acl(tree: DataTree, jute: Jute) -> None:
    path = jute.read_string()
    jute.skip_acl()
    if znode := tree.znodes.get(path):
        znode.aversion = jute.read_int()


def _paths(body: bytes) -> list[str]:
    """The znodes a closed session leaves, where the transaction names them: not before 3.6, and it can be turned off."""
    jute = Jute(body)
    try:
        paths = jute.read_vector(jute.read_string)
    except JuteError:
        return []
    return [path for path in paths if path.startswith("/")]
