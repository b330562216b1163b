"""The log dirs source against the disks of running clusters."""

from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from jobs.lab.cluster import KafkaCluster
from jobs.lab.kraft_mode import KRaftCluster
from jobs.lab.topics import create_topic, produce
from jobs.lab.zookeeper_mode import ZooKeeperCluster
from jobs.landing.landing import Landing
from jobs.secrets import Redactor
from jobs.sources.log_dirs.collect import collect
from jobs.sources.log_dirs.settings import Settings
from jobs.storage import open_storage

Rows = dict[str, list[dict[str, Any]]]


def landed(cluster: KafkaCluster, folder: Path) -> Rows:
    landing = Landing(open_storage(folder), "log_dirs", Redactor(None))
    collect(Settings.model_validate(cluster.settings("lab")["log_dirs"]), landing)
    landing.flush()
    assert landing.gaps == []
    return {
        name: [row for file in files for row in pq.read_table(folder / file).to_pylist()]
        for name, files in landing.files.items()
    }


def test_zookeeper_mode_keeps_version_0_and_one_topic_id_per_topic(
    zookeeper_cluster: ZooKeeperCluster, tmp_path: Path
) -> None:
    create_topic(zookeeper_cluster.bootstrap_servers, "on-disk", [[1, 2, 3], [2, 3, 1]])
    produce(zookeeper_cluster.bootstrap_servers, "on-disk")
    tables = landed(zookeeper_cluster, tmp_path)
    assert {(row["node_id"], row["meta_version"], row["problem"]) for row in tables["log_dirs"]} == {
        (1, 0, None),
        (2, 0, None),
        (3, 0, None),
    }
    replicas = [row for row in tables["disk_replicas"] if row["topic"] == "on-disk"]
    assert len(replicas) == 6
    assert {row["topic_id"] for row in replicas} == {zookeeper_cluster.topic_id("on-disk")}
    assert {row["problem"] for row in tables["disk_replicas"]} == {None}


def test_kraft_nodes_keep_a_quorum_state(kraft_cluster: KRaftCluster, tmp_path: Path) -> None:
    tables = landed(kraft_cluster, tmp_path)
    remembered = {
        (row["node_id"], row["quorum_leader_id"])
        for row in tables["log_dirs"]
        if row["quorum_leader_id"] is not None
    }
    assert remembered == {(1, 101), (2, 101), (101, 101)}
    assert {row["problem"] for row in [*tables["log_dirs"], *tables["disk_replicas"]]} == {None}
    assert {row["dir_name"] for row in tables["disk_offsets"] if row["broker_id"] == 101} == {
        "__cluster_metadata-0"
    }
