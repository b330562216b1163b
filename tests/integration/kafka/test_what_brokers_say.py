"""What each broker says of itself: its log dirs and the offsets of what it leads, also where one of them fails."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from jobs.lab.jvm import wait_until
from jobs.lab.kraft_mode import KRaftCluster
from jobs.lab.node import Node
from jobs.lab.topics import create_topic, produce
from jobs.sources.kafka.settings import Settings
from schemas.snapshots import Gap

Rows = dict[str, list[dict[str, Any]]]
Land = Callable[[Settings], tuple[Rows, list[Gap]]]

RECORDS = 40
STORAGE = "KAFKA_STORAGE_ERROR"


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KRaftCluster]:
    """Two brokers with two log dirs each; topic sales has four partitions of ten records."""
    with KRaftCluster(tmp_path_factory.mktemp("two-dirs"), log_dirs=2) as cluster:
        create_topic(cluster.bootstrap_servers, "sales", [[1, 2], [2, 1], [1, 2], [2, 1]])
        produce(cluster.bootstrap_servers, "sales", RECORDS)
        yield cluster


def settings_of(cluster: KRaftCluster, **changed: Any) -> Settings:
    return Settings(bootstrap_servers=cluster.bootstrap_servers, **changed)


def test_sizes_room_and_offsets_are_told_without_a_look_at_any_disk(
    cluster: KRaftCluster, land: Land
) -> None:
    tables, gaps = land(settings_of(cluster))
    assert gaps == []
    dirs = {(node_id, str(path)) for node_id in (1, 2) for path in cluster.log_dirs(node_id)}
    assert {(row["broker_id"], row["path"]): row["error"] for row in tables["admin_log_dirs"]} == (
        dict.fromkeys(dirs)
    )
    assert {(row["broker_id"], row["path"]) for row in tables["admin_log_dir_space"]} == dirs
    assert all(0 < row["usable_bytes"] <= row["total_bytes"] for row in tables["admin_log_dir_space"])
    on_disk = {
        (node_id, str(path), replica.name): (replica / "00000000000000000000.log").stat().st_size
        for node_id, path in ((node_id, path) for node_id in (1, 2) for path in cluster.log_dirs(node_id))
        for replica in path.glob("sales-*")
    }
    assert len(on_disk) == 8
    assert {
        (row["broker_id"], row["path"], f"{row['topic']}-{row['partition']}"): row["bytes"]
        for row in tables["admin_replica_sizes"]
        if row["topic"] == "sales"
    } == on_disk
    assert [
        (row["partition"], row["leader"], row["log_start"], row["high_watermark"], row["error"])
        for row in sorted(tables["admin_offsets"], key=lambda row: row["partition"])
        if row["topic"] == "sales"
    ] == [(0, 1, 0, 10, None), (1, 2, 0, 10, None), (2, 1, 0, 10, None), (3, 2, 0, 10, None)]


def test_offsets_are_left_out_where_the_settings_say_so(cluster: KRaftCluster, land: Land) -> None:
    tables, gaps = land(settings_of(cluster, offsets=False))
    assert (tables["admin_offsets"], gaps) == ([], [])


def test_a_paused_broker_is_waited_for_once_and_is_a_gap_for_each_question(
    cluster: KRaftCluster, land: Land
) -> None:
    settings = Settings(bootstrap_servers=cluster.brokers[1].address, timeout_s=3)
    with paused(cluster.brokers[2]):
        begun = time.monotonic()
        tables, gaps = land(settings)
        took_s = time.monotonic() - begun
    cluster.wait_for_brokers([1, 2])
    cluster.wait_until_in_sync()
    assert {(gap.scope, gap.reason) for gap in gaps} == {
        ("/configs/broker/2", "unreachable"),
        ("/log_dirs/2", "unreachable"),
        ("/offsets/2", "unreachable"),
        ("/views/2", "unreachable"),
    }
    assert {row["broker_id"] for row in tables["admin_log_dirs"]} == {1}
    assert took_s < 6


@contextmanager
def paused(node: Node) -> Iterator[None]:
    """A broker that keeps its connections and says nothing; shorter than its session it is not missed."""
    os.kill(node.jvm.pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(node.jvm.pid, signal.SIGCONT)


def test_a_failed_log_dir_has_kafkas_error_and_the_others_none(
    cluster: KRaftCluster, land: Land, tmp_path: Path
) -> None:
    failing = cluster.log_dirs(2)[1]
    assert list(failing.glob("sales-*"))
    # Its files stay open, but no new one can be made: Kafka's next checkpoint there fails.
    failing.rename(tmp_path / "gone")

    def errors() -> dict[str, str | None]:
        tables, _ = land(settings_of(cluster))
        return {row["path"]: row["error"] for row in tables["admin_log_dirs"]}

    try:
        wait_until("the broker to notice", lambda: errors()[str(failing)] == STORAGE, cluster.servers, 60)
        tables, gaps = land(settings_of(cluster))
    finally:
        cluster.stop_broker(2)
        (tmp_path / "gone").rename(failing)
        cluster.start_broker(2)
        cluster.wait_until_in_sync()
    assert gaps == []
    assert {row["path"]: row["error"] for row in tables["admin_log_dirs"] if row["error"]} == {
        str(failing): STORAGE
    }
    assert str(failing) not in {row["path"] for row in tables["admin_replica_sizes"]}
    assert str(failing) not in {row["path"] for row in tables["admin_log_dir_space"]}
