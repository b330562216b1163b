"""What each transaction does to a tree, and that doing it again changes nothing."""

from struct import pack

import pytest

from jobs.bundles.zookeeper.data_tree import DataTree, Znode
from jobs.bundles.zookeeper.jute import JuteError
from jobs.bundles.zookeeper.replay import apply
from jobs.bundles.zookeeper.transactions import Transaction
from jobs.sources.zookeeper.connection.stat import Stat, read_stat

OPEN_ACL = pack("!iii5si6s", 1, 31, 5, b"world", 6, b"anyone")


def text(value: str) -> bytes:
    return pack("!i", len(value)) + value.encode()


def txn(zxid: int, kind: int, body: bytes, session: int = 7) -> Transaction:
    return Transaction(session, zxid, 1000 + zxid, kind, body)


def create(
    zxid: int, path: str, parent_cversion: int, *, kind: int = 1, is_ephemeral: bool = False
) -> Transaction:
    flag = bytes([is_ephemeral]) if kind in (1, 15) else b""
    time_to_live = pack("!q", 60_000) if kind == 21 else b""
    return txn(
        zxid, kind, text(path) + text("data") + OPEN_ACL + flag + pack("!i", parent_cversion) + time_to_live
    )


def multi(zxid: int, *parts: Transaction) -> Transaction:
    return txn(
        zxid, 14, pack("!i", len(parts)) + b"".join(pack("!ii", p.type, len(p.body)) + p.body for p in parts)
    )


@pytest.fixture
def tree() -> DataTree:
    tree = DataTree()
    tree.add("/", Znode(None, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    apply(tree, create(1, "/a", 1))
    return tree


def stat(tree: DataTree, path: str) -> Stat:
    return read_stat(tree.znodes[path].read()[1])


def test_creating_stamps_the_znode_and_its_parent(tree: DataTree) -> None:
    apply(tree, create(2, "/a/b", 1))
    born = stat(tree, "/a/b")
    assert (born.czxid, born.mzxid, born.pzxid, born.ctime, born.mtime) == (2, 2, 2, 1002, 1002)
    assert (born.version, born.cversion, born.aversion, born.data_length) == (0, 0, 0, 4)
    parent = stat(tree, "/a")
    assert (parent.pzxid, parent.cversion, parent.num_children, parent.mzxid) == (2, 1, 1, 1)


def test_deleting_counts_for_the_parent_as_clients_see_it(tree: DataTree) -> None:
    apply(tree, create(2, "/a/b", 1))
    apply(tree, txn(3, 2, text("/a/b")))
    assert "/a/b" not in tree.znodes
    assert (stat(tree, "/a").pzxid, stat(tree, "/a").cversion, stat(tree, "/a").num_children) == (3, 2, 0)


def test_setting_data_and_acl_stamps_what_they_stamp(tree: DataTree) -> None:
    apply(tree, txn(2, 5, text("/a") + text("newer") + pack("!i", 1)))
    apply(tree, txn(3, 7, text("/a") + OPEN_ACL + pack("!i", 1)))
    node = stat(tree, "/a")
    assert (tree.znodes["/a"].data, node.version, node.mzxid, node.mtime) == (b"newer", 1, 2, 1002)
    assert (node.aversion, node.pzxid) == (1, 1)


@pytest.mark.parametrize("kind", [1, 15])
def test_an_ephemeral_znode_goes_with_its_session_and_no_other(tree: DataTree, kind: int) -> None:
    apply(tree, create(2, "/a/mine", 1, kind=kind, is_ephemeral=True))
    apply(tree, txn(3, -11, b"", session=8))
    assert stat(tree, "/a/mine").ephemeral_owner == 7
    apply(tree, txn(4, -11, b"", session=7))
    assert "/a/mine" not in tree.znodes
    assert stat(tree, "/a").pzxid == 4


def test_since_3_6_a_closed_session_names_what_it_leaves(tree: DataTree) -> None:
    apply(tree, create(2, "/a/mine", 1))
    apply(tree, txn(3, -11, pack("!i", 1) + text("/a/mine") + pack("!iq", 2, 99)))
    assert "/a/mine" not in tree.znodes


def test_a_digest_after_a_closed_session_is_not_taken_for_names(tree: DataTree) -> None:
    apply(tree, create(2, "/a/mine", 1, is_ephemeral=True))
    apply(tree, txn(3, -11, pack("!iq", 2, 99)))
    assert "/a/mine" not in tree.znodes


@pytest.mark.parametrize("kind", [19, 21])
def test_a_container_and_a_time_to_live_have_no_session(tree: DataTree, kind: int) -> None:
    apply(tree, create(2, "/a/b", 1, kind=kind))
    assert stat(tree, "/a/b").ephemeral_owner == 0


@pytest.mark.parametrize(
    ("owner", "told"), [(-(2**63), 0), (-(2**56) + 60_000, 0), (-(2**63) + 5, -(2**63) + 5)]
)
def test_in_a_snapshot_their_owner_is_a_mark_that_no_client_reads(owner: int, told: int) -> None:
    znode = Znode(b"", 1, 1, 1, 1, 0, 0, 0, owner, 1)
    assert read_stat(znode.read()[1]).ephemeral_owner == told


def test_a_multi_does_all_its_parts_with_one_zxid(tree: DataTree) -> None:
    apply(
        tree, multi(5, create(0, "/a/b", 1), txn(0, 13, text("/a") + pack("!i", 0)), txn(0, 2, text("/a/b")))
    )
    assert (stat(tree, "/a").pzxid, stat(tree, "/a").cversion, stat(tree, "/a").num_children) == (5, 2, 0)


def test_a_multi_with_an_error_does_nothing(tree: DataTree) -> None:
    apply(tree, multi(5, create(0, "/a/b", 1), txn(0, -1, pack("!i", -103))))
    assert "/a/b" not in tree.znodes


def test_sessions_that_begin_and_errors_do_nothing(tree: DataTree) -> None:
    before = dict(tree.znodes)
    apply(tree, txn(2, -10, pack("!i", 6000)))
    apply(tree, txn(3, -1, pack("!i", -101)))
    assert tree.znodes == before


def test_doing_it_all_again_changes_nothing(tree: DataTree) -> None:
    done = [
        create(2, "/a/b", 1, is_ephemeral=True),
        txn(3, 5, text("/a") + text("x") + pack("!i", 1)),
        txn(4, 2, text("/a/b")),
        create(5, "/a/b", 2),
        create(6, "/a/c", 3),
        txn(7, 2, text("/a/c")),
    ]
    for each in done:
        apply(tree, each)
    once = {path: znode.read() for path, znode in tree.znodes.items()}
    for each in done:
        apply(tree, each)
    assert {path: znode.read() for path, znode in tree.znodes.items()} == once


def test_a_child_of_a_later_session_that_the_snapshot_holds_already_counts_for_its_parent(
    tree: DataTree,
) -> None:
    """The parent was written before its child was deleted and created again, the child after it."""
    tree.znodes["/a"].cversion, tree.znodes["/a"].pzxid = 1, 2
    tree.add("/a/b", Znode(b"data", 4, 4, 1004, 1004, 0, 0, 0, 8, 4))
    apply(tree, txn(3, -11, b"", session=7))
    apply(tree, Transaction(8, 4, 1004, 1, create(4, "/a/b", 2, is_ephemeral=True).body))
    assert (stat(tree, "/a").pzxid, stat(tree, "/a").cversion) == (4, 3)


def test_a_znode_that_the_snapshot_holds_as_it_was_created_again_gets_its_child_again(tree: DataTree) -> None:
    """Deleted and created again with a child while the snapshot was written, and written after that."""
    tree.znodes["/a"].czxid = tree.znodes["/a"].mzxid = 3
    tree.add("/a/b", Znode(b"data", 4, 4, 1004, 1004, 0, 0, 0, 0, 4))
    for each in (txn(2, 2, text("/a")), create(3, "/a", 2), create(4, "/a/b", 1)):
        apply(tree, each)
    assert (stat(tree, "/a").num_children, stat(tree, "/a").cversion, stat(tree, "/a").pzxid) == (1, 1, 4)


def test_a_digest_that_reads_like_two_names_of_nothing_leaves_the_root_as_it_was(tree: DataTree) -> None:
    apply(tree, txn(3, -11, pack("!iq", 2, -1)))
    assert stat(tree, "/").pzxid == 1


def test_what_is_done_to_a_znode_that_is_gone_is_nothing(tree: DataTree) -> None:
    for each in (
        txn(2, 5, text("/gone") + text("x") + pack("!i", 1)),
        txn(3, 7, text("/gone") + OPEN_ACL + pack("!i", 1)),
        txn(4, 2, text("/gone/child")),
        create(5, "/gone/child", 1),
    ):
        apply(tree, each)
    assert set(tree.znodes) == {"/", "/a"}


@pytest.mark.parametrize(
    "wrong", [txn(2, 77, b""), txn(2, 5, b"\0"), txn(2, 1, text("/a/b")), multi(2, txn(0, 99, b""))]
)
def test_a_transaction_that_cannot_be_understood_is_said(tree: DataTree, wrong: Transaction) -> None:
    with pytest.raises(JuteError):
        apply(tree, wrong)
