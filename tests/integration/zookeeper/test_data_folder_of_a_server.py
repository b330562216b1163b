"""A server's files against what its clients read of it, where snapshots were written while the tree moved."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from kazoo.client import KazooClient

from jobs.bundles.bundle import open_bundle
from jobs.bundles.zookeeper.data_folder import data_folder, restore, zxid_of
from jobs.bundles.zookeeper.snapshot_file import read_snapshot
from jobs.secrets import Redactor
from jobs.sources.zookeeper.znodes import znode_table

ZNODES_AT_FIRST, CHANGES, IN_FLIGHT = 6_000, 12_000, 500
WRITES_SNAPSHOTS_OFTEN = ["-Dzookeeper.snapCount=1500", "-Dzookeeper.forceSync=no"]


@pytest.fixture(params=["3.9.4", "3.5.9"])
def moved(request: pytest.FixtureRequest, start_zookeeper: Callable[..., Any], old_jars: str) -> Any:
    """A server that is quiet now, and was not while it wrote its snapshots."""
    jars = {} if request.param == "3.9.4" else {"classpath": old_jars}
    server = start_zookeeper(WRITES_SNAPSHOTS_OFTEN, **jars)
    _move(server.connect)
    return server


def _move(connect: str) -> None:
    """Every kind of change, many at once, in an order that a seed decides."""
    dice, clients = random.Random(4), [KazooClient(connect) for _ in range(3)]
    for client in clients:
        client.start()
    clients[0].create("/k", b"")
    _together([clients[0].create_async(f"/k/{number}", b"first") for number in range(ZNODES_AT_FIRST)])
    for start in range(0, CHANGES, IN_FLIGHT):
        _together([_change(dice.choice(clients), dice) for _ in range(IN_FLIGHT)])
        if start % (4 * IN_FLIGHT) == 0:
            clients[2].stop()
            clients[2].start()
    for client in clients[1:]:
        client.stop()
        client.close()


def _change(client: KazooClient, dice: random.Random) -> Any:
    path, child = f"/k/{dice.randrange(ZNODES_AT_FIRST)}", f"/c{dice.randrange(3)}"
    kind = dice.randrange(6)
    if kind == 0:
        return client.set_async(path, dice.randbytes(50))
    if kind == 1:
        return client.create_async(path + child, b"child", ephemeral=dice.random() < 0.6)
    if kind == 2:
        return client.delete_async(path + child)
    if kind == 3:
        return client.delete_async(path)
    if kind == 4:
        return client.create_async(path, b"again")
    transaction = client.transaction()
    transaction.create(path + child, b"multi", ephemeral=dice.random() < 0.5)
    transaction.set_data(path, b"multi")
    return transaction.commit_async()


def _together(answers: list[Any]) -> None:
    for answer in answers:
        answer.wait(30)


def _restored(folder: Path, tells_its_end: bool) -> dict[str, Any]:
    with open_bundle(folder) as bundle:
        found = bundle.find(lambda path, _: [path.rpartition("/")[2].split(".")[0]])
        tree = restore(bundle, data_folder(found["snapshot"], found["log"]))
    assert tree.is_exact == tells_its_end
    fingerprint = Redactor("a key").fingerprint
    znodes = ((path[2:] or "/", znode.read()) for path, znode in tree.tree.below("/k"))
    return {row["path"]: row for row in znode_table(znodes, fingerprint).to_pylist()}


def _moved_while_it_was_written(snapshot: Path) -> bool:
    tree = read_snapshot(snapshot.read_bytes()).tree
    return any(znode.last_zxid > zxid_of(snapshot.name) for znode in tree.znodes.values())


def test_its_files_give_the_tree_that_its_clients_read_from_whichever_snapshot_on(
    moved: Any, collected: Callable[..., Any], request: pytest.FixtureRequest
) -> None:
    live = collected(moved.connect + "/k").rows
    moved.stop()
    snapshots = sorted(moved.folder.rglob("snapshot.*"), key=lambda path: zxid_of(path.name))
    assert len(snapshots) > 5
    assert len(live) > 3_000
    assert any(_moved_while_it_was_written(path) for path in snapshots)
    while snapshots:
        assert _restored(moved.folder, "3.9.4" in request.node.name) == live
        snapshots.pop().unlink()
