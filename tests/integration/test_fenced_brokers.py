"""A broker that was stopped stays registered, fenced: before Kafka 4.0 only the controllers' checkpoints tell."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
import yaml
from pyspark.sql import SparkSession

from jobs.lab.distribution import kafka_jars
from jobs.lab.jvm import run_tool, wait_until
from jobs.lab.topics import create_topic
from jobs.lake.read import open_reader
from jobs.process import process
from jobs.process.snapshot import collect_all
from jobs.settings import load_settings
from jobs.sources.log_dirs.formats.metadata_checkpoint import parse_metadata_checkpoint
from jobs.storage import open_storage
from tests.integration.checkpointing import CheckpointingCluster

HEALTHY, STOPPED = "20261121T140000Z", "20261121T141000Z"
CANARY = "s3cr3t-c4n4ry"
PASSWORD = "listener.name.plaintext.ssl.keystore.password"

Rows = list[tuple[Any, ...]]


def set_password(cluster: CheckpointingCluster) -> None:
    change = ["--entity-type", "brokers", "--entity-name", "1", "--alter", "--add-config"]
    arguments = ["--bootstrap-server", cluster.bootstrap_servers, *change, f"{PASSWORD}={CANARY}"]
    run_tool(kafka_jars(cluster.version), "kafka.admin.ConfigCommand", *arguments)


def lake_of(cluster: CheckpointingCluster, sources: tuple[str, ...], home: Path, spark: SparkSession) -> Path:
    """The lake after a snapshot of the healthy cluster and one after broker 2 was stopped."""
    entry = {key: value for key, value in cluster.settings("lab").items() if key in ("name", *sources)}
    (home / "varve.yaml").write_text(yaml.safe_dump({"lake": "lake", "clusters": [entry]}))
    settings = load_settings(home / "varve.yaml")
    create_topic(cluster.bootstrap_servers, "orders", [[1, 2], [2, 1]])
    set_password(cluster)
    collect_all(settings, "lab", HEALTHY)
    cluster.stop_broker(2)
    controller = cluster.controllers[101]
    wait_until(
        "a checkpoint in which broker 2 is fenced",
        lambda: parse_metadata_checkpoint(cluster.newest_checkpoint()).brokers[2].fenced,
        [controller.jvm],
        60,
    )
    collect_all(settings, "lab", STOPPED)
    for snapshot_id in (HEALTHY, STOPPED):
        process(settings, "lab", snapshot_id, spark, expect=False)
    return settings.lake


@pytest.fixture(scope="module")
def told_by_a_checkpoint(
    spark: SparkSession, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, CheckpointingCluster]:
    home = tmp_path_factory.mktemp("kafka-3.9.1")
    with CheckpointingCluster(home / "cluster", version="3.9.1") as cluster:
        return lake_of(cluster, ("kafka", "log_dirs"), home, spark), cluster


@pytest.fixture(scope="module")
def ask(told_by_a_checkpoint: tuple[Path, CheckpointingCluster]) -> Callable[..., Rows]:
    def rows(sql: str, at: str = STOPPED) -> Rows:
        return open_reader(open_storage(told_by_a_checkpoint[0]), ["lab"], at=at).query(sql).rows

    return rows


def test_before_kafka_4_a_stopped_broker_is_known_from_the_controllers_checkpoint(ask: Any) -> None:
    brokers = "SELECT broker_id, fenced, rack, epoch IS NOT NULL FROM brokers ORDER BY 1"
    assert ask(brokers, HEALTHY) == [(1, False, "rack-1", False), (2, False, "rack-2", False)]
    assert ask(brokers) == [(1, False, "rack-1", False), (2, True, "rack-2", True)]
    assert ask("SELECT problem FROM metadata_checkpoints WHERE broker_id = 101") == [(None,)]


def test_a_broker_that_becomes_fenced_has_not_left(ask: Any) -> None:
    assert ask("SELECT event, subject FROM events WHERE event LIKE 'broker-%'") == [
        ("broker-fenced", "broker 2")
    ]


def test_a_password_in_a_checkpoint_is_not_landed(
    told_by_a_checkpoint: tuple[Path, CheckpointingCluster],
) -> None:
    lake, cluster = told_by_a_checkpoint
    assert CANARY.encode() in cluster.newest_checkpoint()
    files = [file for file in lake.rglob("*") if file.is_file()]
    told = [
        repr(pq.read_table(file, partitioning=None).to_pylist())
        if file.suffix == ".parquet"
        else file.read_text(errors="replace")
        for file in files
    ]
    assert "ssl.keystore.password" in "".join(told)
    assert CANARY not in "".join(told)


@pytest.mark.versions
def test_from_kafka_4_on_describe_cluster_tells_itself(
    spark: SparkSession, tmp_path_factory: pytest.TempPathFactory
) -> None:
    home = tmp_path_factory.mktemp("kafka-4.1.0")
    with CheckpointingCluster(home / "cluster", version="4.1.0") as cluster:
        lake = lake_of(cluster, ("kafka",), home, spark)
    found = (
        open_reader(open_storage(lake), ["lab"])
        .query("SELECT broker_id, fenced FROM brokers ORDER BY 1")
        .rows
    )
    assert found == [(1, False), (2, True)]
