import io
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest

from jobs.cli import application
from jobs.lab.kraft_mode import KRaftCluster
from jobs.lab.secured_mode import SecuredKRaftCluster
from jobs.lab.topics import create_topic
from jobs.lab.zookeeper_mode import ZooKeeperCluster

VARVE = str(Path(sys.executable).with_name("varve"))


class Told:
    """What a call of `varve` answered."""

    def __init__(self, home: Path, *words: str) -> None:
        done = subprocess.run(
            [VARVE, "--config", str(home / "varve.yaml"), *words],
            capture_output=True,
            text=True,
            timeout=400,
            check=False,
        )
        self.code, self.out, self.err = done.returncode, done.stdout, done.stderr
        self.all = done.stdout + done.stderr
        assert "Traceback" not in self.all


@pytest.fixture(scope="session")
def varve() -> Callable[..., Told]:
    """`varve(home, "status")` calls the command line with the settings in that folder."""
    return Told


@pytest.fixture(scope="session")
def varve_here() -> Callable[..., str]:
    """As `varve`, but without a process of its own, so that it finds a warm Spark session; gives what was printed."""

    def call(home: Path, *words: str) -> str:
        with redirect_stdout(io.StringIO()) as out:
            application()(["--config", str(home / "varve.yaml"), *words], standalone_mode=False)
        return out.getvalue()

    return call


@pytest.fixture(scope="session")
def sql(varve_here: Callable[..., str]) -> Callable[[Path, str], list[dict[str, Any]]]:
    """`sql(home, query)`: the rows that `varve sql` answers with the settings in that folder."""

    def rows(home: Path, query: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = json.loads(varve_here(home, "sql", query, "--format", "json"))
        return found

    return rows


@pytest.fixture(scope="session")
def zookeeper_cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ZooKeeperCluster]:
    """Three healthy brokers under /kafka_cluster_01 with two log dirs each. Leave it as healthy as it was."""
    with ZooKeeperCluster(tmp_path_factory.mktemp("zookeeper-mode")) as cluster:
        yield cluster


@pytest.fixture(scope="session")
def kraft_cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KRaftCluster]:
    """One controller and two brokers, healthy. Leave it as healthy as it was."""
    with KRaftCluster(tmp_path_factory.mktemp("kraft-mode")) as cluster:
        yield cluster


@pytest.fixture(scope="session")
def secured_cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SecuredKRaftCluster]:
    """One controller, one broker and topic `orders`. ANONYMOUS is the lab's super user; the others need an ACL."""
    names = ("varve", "team", "stranger", "denied", "kept-out", "unaware")
    users = dict.fromkeys(names, "right") | {"ANONYMOUS": "the-right-password"}
    with SecuredKRaftCluster(tmp_path_factory.mktemp("secured-mode"), users) as cluster:
        create_topic(cluster.bootstrap_servers, "orders", [[1]], {"retention.ms": "60000"})
        yield cluster
