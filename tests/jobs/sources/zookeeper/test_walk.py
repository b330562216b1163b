"""What one walk proves about a tree that changes under it.

The tree here keeps ZooKeeper's own rules for zxids; a mutator works on it between any two reads.
"""

import copy
from collections.abc import Collection, Mapping, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jobs.sources.zookeeper.connection.reading import Read
from jobs.sources.zookeeper.connection.stat import Stat, write_stat
from jobs.sources.zookeeper.connection.wire import DATA, NO_AUTH, NO_NODE, Operation, Reply
from jobs.sources.zookeeper.walk import Walk, walk

FIRST_ZXID = 100

Changes = Mapping[int, Sequence[tuple[str, str]]]
"""The changes, each a kind and a path, that come before the n-th read."""


class Tree:
    """Znodes by path: data and stat; every change takes the next zxid."""

    def __init__(self) -> None:
        self.zxid = FIRST_ZXID
        self.znodes = {"/": (b"", Stat(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))}
        self.closed = set[str]()

    def change(self, kind: str, path: str) -> None:
        """Do what is possible: create a missing znode, set, delete, bounce or swap a leaf, close or open any."""
        parent = path.rpartition("/")[0] or "/"
        is_there = path in self.znodes
        is_leaf = is_there and path != "/" and not self._names(path)
        if kind == "create" and not is_there and parent in self.znodes:
            self._create(path, parent)
        elif kind == "set" and is_there:
            self._set(path)
        elif kind in ("delete", "bounce") and is_leaf:
            self._delete(path, parent)
            if kind == "bounce":
                self._create(path, parent)
        elif kind in ("swap", "swap for a closed one") and is_leaf:
            self._delete(path, parent)
            self.change("create", path[:-1] + "c")
            if kind != "swap":
                self.closed |= {path[:-1] + "c"}
        elif kind == "close" and is_there:
            self.closed ^= {path}

    def read(self, operation: Operation) -> Reply:
        if operation.path not in self.znodes:
            return NO_NODE
        if operation.path in self.closed:
            return NO_AUTH
        if operation.type == DATA:
            data, stat = self.znodes[operation.path]
            return data, write_stat(stat)
        return self._names(operation.path)

    def _names(self, path: str) -> list[str]:
        prefix = path.rstrip("/") + "/"
        return [other[len(prefix) :] for other in self.znodes if self._is_child(other, prefix)]

    @staticmethod
    def _is_child(other: str, prefix: str) -> bool:
        return other.startswith(prefix) and other != prefix and "/" not in other[len(prefix) :]

    def _create(self, path: str, parent: str) -> None:
        self.zxid += 1
        self.znodes[path] = b"", Stat(self.zxid, self.zxid, 0, 0, 0, 0, 0, 0, 0, 0, self.zxid)
        self._children_changed(parent)

    def _set(self, path: str) -> None:
        self.zxid += 1
        data, stat = self.znodes[path]
        self.znodes[path] = data + b"x", stat._replace(mzxid=self.zxid, version=stat.version + 1)

    def _delete(self, path: str, parent: str) -> None:
        self.zxid += 1
        del self.znodes[path]
        self.closed.discard(path)
        self._children_changed(parent)

    def _children_changed(self, parent: str) -> None:
        data, stat = self.znodes[parent]
        count = len(self._names(parent))
        changed = stat._replace(pzxid=self.zxid, cversion=stat.cversion + 1, num_children=count)
        self.znodes[parent] = data, changed


def reader(tree: Tree, changes: Changes) -> Read:
    """Reads the tree, and makes the changes between the reads."""
    done = 0

    def read(operations: Sequence[Operation]) -> list[Reply]:
        nonlocal done
        replies: list[Reply] = []
        for operation in operations:
            for kind, path in changes.get(done, []):
                tree.change(kind, path)
            done += 1
            replies.append(tree.read(operation))
        return replies

    return read


def tree_of(*paths: str) -> Tree:
    tree = Tree()
    for path in paths:
        tree.change("create", path)
    return tree


def noting(read: Read, asked: list[Operation]) -> Read:
    """The same reads, which are noted in `asked`."""

    def noted(operations: Sequence[Operation]) -> list[Reply]:
        asked.extend(operations)
        return read(operations)

    return noted


def walked(tree: Tree, changes: Changes) -> Walk:
    return walk(reader(tree, changes), "/", tree.zxid)


PATHS = ("/a", "/b", "/a/a", "/a/b", "/b/a", "/a/a/a", "/a/a/b")
kinds = st.sampled_from(
    ["create", "create", "delete", "bounce", "swap", "swap for a closed one", "set", "close"]
)
changes = st.lists(st.tuples(kinds, st.sampled_from(PATHS)), min_size=1, max_size=3)


@settings(max_examples=600, deadline=None)
@given(
    before=st.sets(st.sampled_from(PATHS), min_size=3),
    during=st.dictionaries(st.integers(0, 12), changes, max_size=6),
)
def test_nothing_settled_is_wrong_and_nothing_is_missed_without_a_doubt(
    before: set[str], during: Changes
) -> None:
    tree = tree_of(*sorted(before, key=len))
    truth = {path: (data, write_stat(stat)) for path, (data, stat) in copy.deepcopy(tree.znodes).items()}

    seen = walked(tree, during)

    settled = dict(seen.settled())
    assert settled == {path: truth.get(path) for path in settled}
    doubted = (*seen.doubts(), *seen.refused)
    missed = set(truth) - set(settled)
    assert missed == {path for path in missed if under_any(path, doubted)}


def under_any(path: str, scopes: Collection[str]) -> bool:
    return any(scope == "/" or path == scope or path.startswith(scope + "/") for scope in scopes)


def test_a_quiet_tree_is_settled_whole() -> None:
    seen = walked(tree_of("/a", "/a/a", "/a/b", "/b", "/b/a"), {})

    assert set(dict(seen.settled())) == {"/", "/a", "/a/a", "/a/b", "/b", "/b/a"}
    assert seen.doubts() == []


def test_a_znode_set_during_the_walk_is_unsettled_and_its_neighbour_is_not() -> None:
    seen = walked(tree_of("/a", "/b"), {3: [("set", "/a")]})

    assert seen.doubts() == ["/a"]
    assert set(dict(seen.settled())) == {"/", "/b"}


def test_a_change_below_the_root_before_it_is_read_leaves_nothing_settled() -> None:
    seen = walked(tree_of("/a"), {0: [("create", "/b")]})

    assert seen.doubts() == ["/"]
    assert list(seen.settled()) == []


def test_a_bounced_broker_is_unsettled_and_not_new() -> None:
    # Reads: 0 root, 1 the list of the root, 2 its stat again, then the children.
    seen = walked(tree_of("/1", "/2"), {3: [("bounce", "/1")]})

    assert seen.doubts() == ["/1"]
    assert set(dict(seen.settled())) == {"/", "/2"}


def test_a_znode_deleted_after_its_parents_list_was_read_is_unsettled_and_not_gone() -> None:
    seen = walked(tree_of("/1", "/2"), {3: [("delete", "/1")]})

    assert seen.doubts() == ["/1"]


def test_an_only_child_that_bounced_makes_its_parent_unsettled() -> None:
    seen = walked(tree_of("/ids", "/ids/1"), {4: [("bounce", "/ids/1")]})

    assert seen.doubts() == ["/ids"]


def test_an_only_child_swapped_for_another_that_goes_too_makes_its_parent_unsettled() -> None:
    # Reads: 0 root, 1 its list, 2 /ids, 3 its list, 4 the child.
    changes = {3: [("create", "/ids/2"), ("delete", "/ids/1")], 4: [("delete", "/ids/2")]}

    seen = walked(tree_of("/ids", "/ids/1"), changes)

    assert "/ids" in seen.doubts()


def test_an_only_child_that_went_before_its_list_was_read_makes_its_parent_unsettled() -> None:
    assert walked(tree_of("/ids", "/ids/1"), {3: [("delete", "/ids/1")]}).doubts() == ["/ids"]


def test_an_only_child_that_got_company_before_its_list_was_read_makes_its_parent_unsettled() -> None:
    assert walked(tree_of("/ids", "/ids/1"), {3: [("create", "/ids/0")]}).doubts() == ["/ids"]


def test_one_of_several_children_swapped_for_another_makes_their_parent_unsettled() -> None:
    # Reads: 0 root, 1 its list, 2 /ids, 3 its list, 4 its stat again.
    changes = {3: [("create", "/ids/3"), ("delete", "/ids/1")]}

    assert walked(tree_of("/ids", "/ids/1", "/ids/2"), changes).doubts() == ["/ids"]


def test_a_znode_that_lost_its_children_before_it_was_read_is_unsettled() -> None:
    assert walked(tree_of("/ids", "/ids/1"), {2: [("delete", "/ids/1")]}).doubts() == ["/ids"]


def test_what_is_below_an_unsettled_znode_is_not_read() -> None:
    tree = tree_of("/a", "/a/a", "/a/a/a", "/b")
    asked: list[Operation] = []
    read = reader(tree, {3: [("set", "/a")]})

    walk(noting(read, asked), "/", tree.zxid)

    assert {operation.path for operation in asked} == {"/", "/a", "/b"}


def test_a_stat_that_is_read_once_more_is_known_by_the_weight_of_its_data() -> None:
    tree = tree_of("/a", "/a/a", "/a/b")
    tree.znodes["/a"] = b"x" * 1_000, tree.znodes["/a"][1]
    asked: list[Operation] = []
    read = reader(tree, {})

    walk(noting(read, asked), "/", tree.zxid)

    assert [op.expected_bytes for op in asked if (op.type, op.path) == (DATA, "/a")] == [0, 1_068]


@pytest.mark.parametrize("paths", [("/a", "/a/a"), ("/a", "/a/a", "/a/b")])
def test_a_closed_znode_is_refused_and_its_parents_list_is_still_settled(paths: tuple[str, ...]) -> None:
    tree = tree_of(*paths)
    tree.change("close", "/a/a")

    seen = walked(tree, {})

    assert seen.refused == {"/a/a": NO_AUTH}
    assert seen.doubts() == []
    assert set(dict(seen.settled())) == {"/", *paths} - {"/a/a"}


def test_only_the_subtrees_and_what_leads_to_them_are_read() -> None:
    tree = tree_of("/a", "/a/a", "/a/a/a", "/a/b", "/b", "/b/a")

    seen = walk(reader(tree, {}), "/", tree.zxid, ["/a/a", "/none"])

    assert set(dict(seen.settled())) == {"/", "/a", "/a/a", "/a/a/a"}
    assert seen.left_out == {"/a/b", "/b"}
    assert seen.doubts() == []


def test_a_subtree_is_not_one_whose_name_only_begins_alike() -> None:
    tree = tree_of("/a", "/a/a", "/b")
    tree.change("create", "/ab")

    seen = walk(reader(tree, {}), "/", tree.zxid, ["/a"])

    assert seen.left_out == {"/ab", "/b"}
