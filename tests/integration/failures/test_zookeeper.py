"""A real ZooKeeper with some thousand znodes that does not let Varve in everywhere, and then is cut off half way."""

import json
import select
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from kazoo.client import KazooClient
from kazoo.security import make_digest_acl

from jobs.lab.distribution import KAFKA_VERSION
from jobs.lab.jvm import wait_until
from jobs.lab.ports import HOST
from jobs.lab.zookeeper_mode import ZooKeeperServer

HEALTHY, REFUSED, CUT = "20261121T140000Z", "20261121T141000Z", "20261121T142000Z"
TOPICS = 1_000
RIGHT, WRONG = "the-right-password", "a-wrong-password"


@pytest.fixture(scope="module")
def zookeeper(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ZooKeeperServer]:
    """`/kafka` holds 1,000 topics and 1 user, whose config nobody but the user kafka may read."""
    server = ZooKeeperServer(tmp_path_factory.mktemp("zookeeper"), KAFKA_VERSION)
    server.start()
    try:
        wait_until("ZooKeeper", server.answers, [server.jvm], 60)
        client = KazooClient(server.address + "/kafka")
        client.start()
        _fill(client)
        client.stop()
        client.close()
        yield server
    finally:
        server.jvm.kill()


def _fill(client: KazooClient) -> None:
    topic = json.dumps({"version": 3, "partitions": {"0": [1]}}).encode()
    state = json.dumps(
        {"version": 1, "leader": 1, "leader_epoch": 0, "isr": [1], "controller_epoch": 1}
    ).encode()
    client.ensure_path("/brokers/topics")
    written = []
    for number in range(TOPICS):
        path = f"/brokers/topics/topic-{number}"
        parts = [(path, topic), (f"{path}/partitions", b""), (f"{path}/partitions/0", b"")]
        written += [client.create_async(*part) for part in [*parts, (f"{path}/partitions/0/state", state)]]
    for answer in written:
        answer.get(timeout=60)
    client.create("/brokers/ids/1", b'{"version":5,"endpoints":["PLAINTEXT://b1:9092"]}', makepath=True)
    client.create("/controller", b'{"version":2,"brokerid":1,"timestamp":"0","kraftControllerEpoch":-1}')
    client.create("/controller_epoch", b"1")
    closed = [make_digest_acl("kafka", RIGHT, read=True)]
    client.ensure_path("/config")
    client.create("/config/users", b"")
    client.create("/config/users/alice", b'{"version":1,"config":{"consumer_byte_rate":"1024"}}', acl=closed)
    client.set_acls("/config/users", closed)


class CuttingProxy:
    """Passes bytes on to a server and cuts every connection after the server has sent so many."""

    def __init__(self, port: int, cut_after: int) -> None:
        self.connections = 0
        self._port, self._cut_after = port, cut_after
        self._listener = socket.create_server((HOST, 0))
        self.address = f"{HOST}:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                self.connections += 1
                threading.Thread(target=self._pass_on, args=(client,), daemon=True).start()

    def _pass_on(self, client: socket.socket) -> None:
        left = self._cut_after
        with client, socket.create_connection((HOST, self._port)) as server, suppress(OSError):
            while left > 0:
                for ready in select.select([client, server], [], [])[0]:
                    data = ready.recv(65_536)
                    if not data:
                        return
                    (server if ready is client else client).sendall(data)
                    left -= len(data) if ready is server else 0


@pytest.fixture(scope="module")
def proxy(zookeeper: ZooKeeperServer) -> Iterator[CuttingProxy]:
    proxy = CuttingProxy(zookeeper.port, cut_after=100_000)
    yield proxy
    proxy.close()


@pytest.fixture(scope="module")
def watched(zookeeper: ZooKeeperServer, watch: Any) -> Iterator[Any]:
    """A lake with a snapshot of everything."""
    auth = {"scheme": "digest", "user": "kafka", "password": "${ZOOKEEPER_PASSWORD}"}
    connect = f"{zookeeper.address}/kafka"
    watched = watch({"zookeeper": {"connect": connect, "auth": auth, "max_reads_per_second": 4_000}})
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("ZOOKEEPER_PASSWORD", RIGHT)
        told = watched.snapshot(HEALTHY)["zookeeper"]
        assert "complete" in told.out, told.all
        environment.setenv("ZOOKEEPER_PASSWORD", WRONG)
        yield watched


@pytest.fixture(scope="module")
def refused(watched: Any) -> Any:
    """What was told with a wrong password: ZooKeeper takes it, and then has no rights for it."""
    return watched.snapshot(REFUSED)["zookeeper"]


@pytest.fixture(scope="module")
def cut(watched: Any, proxy: CuttingProxy, refused: Any) -> Any:
    """What was told when every connection ended half way, after the snapshot with the wrong password."""
    assert watched.gaps(REFUSED), refused.all
    watched.entry["zookeeper"]["connect"] = f"{proxy.address}/kafka"
    return watched.snapshot(CUT)["zookeeper"]


def test_no_rights_on_the_users_is_told_with_the_path_and_the_remedy(refused: Any, watched: Any) -> None:
    assert refused.code == 0
    assert "/config/users (unauthorized): Varve has no READ right on /config/users: give it" in refused.err
    assert watched.gaps(REFUSED) == [("zookeeper", "/config/users", "unauthorized")]
    assert RIGHT not in refused.all
    assert WRONG not in refused.all


@pytest.mark.usefixtures("refused")
def test_the_users_that_could_not_be_read_stay_and_the_rest_is_current(watched: Any) -> None:
    users = 'SELECT "user", name, value, is_current FROM quotas'
    assert watched.ask(users, HEALTHY) == [("alice", "consumer_byte_rate", 1024.0, True)]
    assert watched.ask(users, REFUSED) == [("alice", "consumer_byte_rate", 1024.0, False)]
    assert watched.deleted(HEALTHY, REFUSED) == set()
    seen = watched.current(REFUSED)
    assert (seen["topics"], seen["partitions"], seen["brokers"]) == ({True}, {True}, {True})


def test_a_connection_that_ends_half_way_each_time_is_told_in_time(
    cut: Any, watched: Any, proxy: CuttingProxy
) -> None:
    assert cut.code == 1
    assert f"ZooKeeper at {proxy.address} lost every session before it was read" in cut.err
    assert "look at the ensemble's logs, or raise timeout_s" in cut.err
    assert proxy.connections >= 4
    assert watched.took_s < 30
    assert watched.gaps(CUT) == [("zookeeper", "/", "unreachable")]


@pytest.mark.usefixtures("cut")
def test_what_was_cut_off_half_way_deletes_nothing_and_is_not_current(watched: Any) -> None:
    assert watched.ask("SELECT count(*) FROM topics", CUT) == [(TOPICS,)]
    assert watched.deleted(HEALTHY, CUT) == set()
    assert set.union(*watched.current(CUT).values()) == {False}
    assert watched.ask(f"SELECT * FROM events WHERE snapshot_id >= '{REFUSED}'") == []
