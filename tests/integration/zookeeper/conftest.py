"""Real ZooKeeper servers: 3.9 from PySpark's own jars, and 3.5 as Kafka 2.8 ships it."""

import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from kazoo.client import KazooClient

from jobs.landing.landing import Landing
from jobs.machine.jars import fetch
from jobs.machine.java import find_java
from jobs.secrets import Redactor
from jobs.sources.zookeeper.collect import collect
from jobs.sources.zookeeper.settings import Settings
from jobs.storage import open_storage


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


class ZooKeeper:
    """One standalone server on a free port of 127.0.0.1."""

    def __init__(self, folder: Path, classpath: str, options: Sequence[str] = (), config: str = "") -> None:
        self.port = free_port()
        self.connect = f"127.0.0.1:{self.port}"
        (folder / "zoo.cfg").write_text(
            f"dataDir={folder}\nclientPort={self.port}\nclientPortAddress=127.0.0.1\ntickTime=500\n"
            f"maxClientCnxns=0\nadmin.enableServer=false\n{config}"
        )
        self.folder = folder
        main = ["org.apache.zookeeper.server.quorum.QuorumPeerMain", str(folder / "zoo.cfg")]
        java = [str(find_java()), "-Xmx768m", "-Dzookeeper.forceSync=no", "-Dzookeeper.preAllocSize=4096"]
        self._command = [*java, *options, "-cp", classpath, *main]
        self.start()

    def start(self) -> None:
        """Start it, or start it again with the data it had."""
        with (self.folder / "log").open("wb") as log:
            self.process = subprocess.Popen(self._command, stdout=log, stderr=log)
        self._wait_until_it_listens(self.folder / "log")

    def _wait_until_it_listens(self, log: Path) -> None:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and self.process.poll() is None:
            with socket.socket() as attempt:
                if attempt.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.1)
        self.stop()
        raise AssertionError(f"ZooKeeper did not start: {log.read_text()[-2000:]}")

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()


def _jars_of_pyspark() -> str:
    spec = find_spec("pyspark")
    assert spec is not None
    assert spec.origin is not None
    return str(Path(spec.origin).parent / "jars" / "*")


@pytest.fixture(scope="session")
def zookeeper(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ZooKeeper]:
    server = ZooKeeper(tmp_path_factory.mktemp("zookeeper"), _jars_of_pyspark())
    yield server
    server.stop()


@pytest.fixture
def start_zookeeper(tmp_path: Path) -> Iterator[Callable[..., ZooKeeper]]:
    """Starts a server of the test's own, with more Java options and lines of its configuration."""
    servers: list[ZooKeeper] = []

    def start(
        options: Sequence[str] = (), config: str = "", classpath: str = _jars_of_pyspark()
    ) -> ZooKeeper:
        folder = tmp_path / f"zookeeper-{len(servers)}"
        folder.mkdir()
        servers.append(ZooKeeper(folder, classpath, options, config))
        return servers[-1]

    yield start
    for server in servers:
        server.stop()


@pytest.fixture
def mortal_zookeeper(start_zookeeper: Callable[..., ZooKeeper]) -> ZooKeeper:
    """A server that its test may kill."""
    return start_zookeeper()


@pytest.fixture(scope="session")
def old_jars() -> str:
    """The class path of a 3.5.9 server."""
    return ":".join(str(jar) for jar in fetch("org.apache.zookeeper:zookeeper:3.5.9"))


@pytest.fixture(scope="module")
def old_zookeeper(tmp_path_factory: pytest.TempPathFactory, old_jars: str) -> Iterator[ZooKeeper]:
    """3.5.9, which has no multi-read."""
    server = ZooKeeper(tmp_path_factory.mktemp("zookeeper-3.5"), old_jars)
    yield server
    server.stop()


def _client(server: ZooKeeper) -> Iterator[KazooClient]:
    client = KazooClient(server.connect)
    client.start()
    yield client
    client.stop()
    client.close()


@pytest.fixture
def client(zookeeper: ZooKeeper) -> Iterator[KazooClient]:
    yield from _client(zookeeper)


@pytest.fixture
def old_client(old_zookeeper: ZooKeeper) -> Iterator[KazooClient]:
    yield from _client(old_zookeeper)


class Landed:
    """What one collect landed: the rows by path, and the landing itself."""

    def __init__(self, settings: Settings, folder: Path) -> None:
        self.landing = Landing(open_storage(folder), "zookeeper", Redactor("a key"))
        collect(settings, self.landing)
        self.landing.flush()
        tables = [pq.read_table(folder / name) for name in self.landing.files["znodes"]]
        self.rows = {row["path"]: row for table in tables for row in table.to_pylist()}
        self.gaps = {(gap.scope, gap.reason) for gap in self.landing.gaps}


@pytest.fixture
def collected(tmp_path: Path) -> Callable[..., Landed]:
    """`collected("host:port/chroot", timeout_s=…)` collects and reads back what landed."""
    count = 0

    def collect_once(connect: str, **settings: object) -> Landed:
        nonlocal count
        count += 1
        folder = tmp_path / f"landing-{count}"
        folder.mkdir()
        options = {"timeout_s": 5, "max_reads_per_second": 10_000_000, **settings}
        return Landed(Settings.model_validate({"connect": connect, **options}), folder)

    return collect_once
