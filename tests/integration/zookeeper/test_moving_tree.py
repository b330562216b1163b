"""A tree that changes while it is read: what landed is compared with the mutator's own log of zxids."""

import random
import threading
from collections.abc import Callable
from typing import Any

from kazoo.client import KazooClient
from kazoo.exceptions import NodeExistsError, NoNodeError, NotEmptyError
from kazoo.protocol.serialization import Delete, Transaction

from jobs.sources.zookeeper.connection.wire import Sync

LEAST, MOST = 15, 60
TOPICS = [f"/moving/topics/t{number}" for number in range(40)]
BROKERS = [f"/moving/ids/{number}" for number in range(10)]
Change = tuple[int, str, str, Any]
"""Its zxid, its kind, the path, and the data or the owner."""
COMPARED = ("data", "czxid", "mzxid", "pzxid", "version", "cversion", "num_children", "ephemeral_owner")


class LoggedDelete(Delete):
    """A delete whose reply is the zxid of its transaction."""

    @staticmethod
    def deserialize(buffer: bytes, offset: int) -> Any:
        return Sync.deserialize(buffer, offset)


class LoggedTransaction(Transaction):
    """A transaction of several changes whose reply is its zxid, too."""

    @classmethod
    def deserialize(cls, buffer: bytes, offset: int) -> Any:
        return Sync.deserialize(buffer, offset), Transaction.deserialize(buffer, offset)


class Mutator(threading.Thread):
    """Changes the tree as fast as it can and keeps a log of its changes."""

    def __init__(self, connect: str) -> None:
        super().__init__(daemon=True)
        self.stopped = threading.Event()
        self.log: list[Change] = []
        self.notification: str | None = None
        self.client = KazooClient(connect)
        self.client.start()
        for path in ("/moving", "/moving/topics", "/moving/ids", "/moving/changes"):
            self.create(path)
        for path in TOPICS:
            self.create(path)
            self.create(path + "/state")

    def run(self) -> None:
        dice = random.Random(7)
        while not self.stopped.is_set():
            for _ in range(dice.randint(1, 4)):
                self.change(dice)
            self.stopped.wait(dice.choice((0, 0.01, 0.05)))

    def change(self, dice: random.Random) -> None:
        kind = dice.random()
        if kind < 0.1:
            self.bounce_at_once(dice.choice(BROKERS))
            return
        if kind < 0.2:
            self.notify()
            return
        if kind < 0.4:
            broker = dice.choice(BROKERS)
            self.delete(broker)
            if dice.random() < 0.8:
                self.create(broker, ephemeral=True)
            return
        topic = dice.choice(TOPICS)
        action = dice.choice((self.set, self.set, self.delete, self.create))
        action(dice.choice((topic, topic + "/state")))

    def create(self, path: str, ephemeral: bool = False, sequence: bool = False) -> str | None:
        try:
            created, stat = self.client.create(
                path, b"", ephemeral=ephemeral, sequence=sequence, include_data=True
            )
        except (NodeExistsError, NoNodeError):
            return None
        self.log.append((stat.czxid, "create", created, stat.ephemeralOwner))
        return str(created)

    def notify(self) -> None:
        """A change notification takes the place of the last one, as the only child there is."""
        if self.notification:
            self.delete(self.notification)
        self.notification = self.create("/moving/changes/change_", sequence=True)

    def bounce_at_once(self, path: str) -> None:
        """Delete and create again in one transaction, under one zxid."""
        transaction = self.client.transaction()
        transaction.delete(path)
        transaction.create(path, b"", ephemeral=True)
        answer = self.client.handler.async_result()
        self.client._call(LoggedTransaction(transaction.operations), answer)
        zxid, results = answer.get(timeout=10)
        if not any(isinstance(result, Exception) for result in results):
            self.log.append((zxid, "delete", path, None))
            self.log.append((zxid, "create", path, self.client.client_id[0]))

    def set(self, path: str) -> None:
        data = str(len(self.log))
        try:
            stat = self.client.set(path, data.encode())
        except NoNodeError:
            return
        self.log.append((stat.mzxid, "set", path, data))

    def delete(self, path: str) -> None:
        answer = self.client.handler.async_result()
        self.client._call(LoggedDelete(path, -1), answer)
        try:
            zxid = answer.get(timeout=10)
        except (NoNodeError, NotEmptyError):
            return
        self.log.append((zxid, "delete", path, None))

    def stop(self) -> None:
        self.stopped.set()
        self.join()
        self.client.stop()
        self.client.close()


def tree_at(log: list[Change], zxid: int) -> dict[str, dict[str, Any]]:
    """The tree as the log tells it was at `zxid`, below `/moving`."""
    znodes: dict[str, dict[str, Any]] = {}
    for at, kind, path, value in log:
        if at > zxid:
            break
        if kind == "set":
            znode = znodes[path]
            znode.update(data=value, mzxid=at, version=znode["version"] + 1)
            continue
        if kind == "create":
            znodes[path] = dict.fromkeys(COMPARED, 0) | {"czxid": at, "mzxid": at, "pzxid": at, "data": ""}
            znodes[path]["ephemeral_owner"] = value
        else:
            del znodes[path]
        parent = znodes.get(path.rpartition("/")[0])
        if parent:
            parent["cversion"] += 1
            parent["pzxid"] = at
            parent["num_children"] += 1 if kind == "create" else -1
    return {path.removeprefix("/moving") or "/": znode for path, znode in znodes.items()}


def is_below(path: str, scope: str) -> bool:
    return scope == "/" or path == scope or path.startswith(scope + "/")


def test_nothing_that_lands_is_wrong_and_nothing_is_missing_without_a_gap(
    zookeeper: Any, collected: Callable[..., Any]
) -> None:
    mutator = Mutator(zookeeper.connect)
    mutator.start()
    try:
        snapshots = collected_until_met(
            lambda: collected(f"{zookeeper.connect}/moving", max_reads_per_second=1_000)
        )
    finally:
        mutator.stop()

    for snapshot in snapshots:
        truth = tree_at(mutator.log, snapshot.landing.zxid)
        seen = {path: {name: row[name] for name in COMPARED} for path, row in snapshot.rows.items()}
        assert seen == {path: truth.get(path) for path in seen}
        scopes = [scope for scope, _ in snapshot.gaps]
        missing = set(truth) - set(seen)
        assert missing == {path for path in missing if any(is_below(path, scope) for scope in scopes)}


def collected_until_met(collect: Callable[[], Any]) -> list[Any]:
    """At least LEAST snapshots; among them some that met the mutator and some with most of the tree settled."""
    snapshots: list[Any] = []
    while len(snapshots) < MOST:
        snapshots.append(collect())
        met = any(snapshot.gaps for snapshot in snapshots)
        if len(snapshots) >= LEAST and met and any(len(snapshot.rows) > 40 for snapshot in snapshots):
            return snapshots
    raise AssertionError(f"in {MOST} snapshots the mutator was never met, or left nothing settled")
