"""What lands of a log dir."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jobs.landing.landing import Landing
from jobs.secrets import Redactor
from jobs.sources.log_dirs.collect import collect
from jobs.sources.log_dirs.contents import File, ReplicaFiles
from jobs.sources.log_dirs.replica import parse_replica
from jobs.sources.log_dirs.rows import replica_row
from jobs.sources.log_dirs.settings import Settings
from jobs.storage import open_storage

RECORDED = Path(__file__).parents[3] / "data/log_dirs"
ORDERS = b"version: 0\ntopic_id: znkgOM6BTcupdjPAxhvoEw"
Landed = Callable[..., tuple[dict[str, list[dict[str, Any]]], Landing]]


def replicas(tables: dict[str, list[dict[str, Any]]]) -> dict[str, dict[str, Any]]:
    return {row["dir_name"]: row for row in tables["disk_replicas"]}


def test_a_log_dir_is_a_row_with_its_meta_properties_and_quorum_state(
    landed: Landed, tmp_path: Path, d0: Path
) -> None:
    tables, landing = landed(tmp_path, d0)
    assert tables["log_dirs"] == [
        {
            "broker_id": 1,
            "path": str(d0),
            "meta_version": 1,
            "cluster_id": "7a4WN04ORRCS7XRw8eKNyg",
            "node_id": 1,
            "directory_id": "GD1g-r6SDneyr6cfq8wnqQ",
            "quorum_data_version": 0,
            "quorum_leader_id": 100,
            "quorum_leader_epoch": 1,
            "quorum_voted_id": -1,
            "quorum_voted_directory_id": None,
            "quorum_voters": [],
            "is_cleanly_shut": False,
            "shut_broker_epoch": None,
            "has_bootstrap_checkpoint": False,
            "metadata_snapshots": [],
            "problem": None,
        }
    ]
    assert landing.gaps == []


def test_a_broker_in_zookeeper_mode_keeps_version_0_and_no_quorum_state(
    landed: Landed, tmp_path: Path
) -> None:
    tables, _ = landed(tmp_path, RECORDED / "zookeeper-3.9.1/broker-1-d0")
    (row,) = tables["log_dirs"]
    assert (row["meta_version"], row["node_id"], row["cluster_id"]) == (0, 1, "IBYqX5EGQ3OjJ8NDJ7BRZg")
    assert (row["directory_id"], row["quorum_leader_id"], row["problem"]) == (None, None, None)
    (replica,) = tables["disk_replicas"]
    assert (replica["topic"], replica["topic_id"]) == ("my.topic-with--dash", "LEzeD7yhRS-fzqxrNwKKng")


def test_a_log_dir_tells_the_room_on_its_disk(landed: Landed, tmp_path: Path, d0: Path) -> None:
    (space,) = landed(tmp_path, d0)[0]["log_dir_space"]
    assert 0 < space["free_bytes"] <= space["total_bytes"]


def test_every_replica_directory_is_a_row(landed: Landed, tmp_path: Path, d0: Path) -> None:
    found = replicas(landed(tmp_path, d0)[0])
    assert {name: row["topic_id"] for name, row in found.items()} == {
        "__cluster_metadata-0": "AAAAAAAAAAAAAAAAAAAAAQ",
        "compacted-0": "Ar9CsQJ3QGyfkrVwdleLXA",
        "compacted-1": "Ar9CsQJ3QGyfkrVwdleLXA",
        "orders-3": "znkgOM6BTcupdjPAxhvoEw",
    }
    assert found["orders-3"]["leader_epochs"] == [{"epoch": 0, "start_offset": 0}]
    assert {row["problem"] for row in found.values()} == {None}


def test_offsets_are_joined_from_the_four_checkpoints(landed: Landed, tmp_path: Path, d0: Path) -> None:
    offsets = {row["dir_name"]: row for row in landed(tmp_path, d0)[0]["disk_offsets"]}
    assert offsets["orders-3"] == {
        "broker_id": 1,
        "path": str(d0),
        "dir_name": "orders-3",
        "topic": "orders",
        "partition": 3,
        "high_watermark": 50,
        "recovery_point": 0,
        "log_start": None,
        "cleaner_offset": None,
        "log_bytes": 51,
        "producer_snapshot_offset": None,
        "producers": None,
    }
    assert offsets["__cluster_metadata-0"]["high_watermark"] is None


def test_a_checkpointed_partition_without_a_directory_has_offsets_and_no_bytes(
    landed: Landed, tmp_path: Path, d0: Path
) -> None:
    shutil.rmtree(d0 / "orders-3")
    offsets = {row["dir_name"]: row for row in landed(tmp_path, d0)[0]["disk_offsets"]}
    assert offsets["orders-3"]["high_watermark"] == 50
    assert offsets["orders-3"]["log_bytes"] is None


def test_the_target_of_a_move_has_the_offsets_and_a_deleted_directory_has_none(
    landed: Landed, tmp_path: Path, d0: Path
) -> None:
    (d0 / "orders-3").rename(d0 / "orders-3.00-future")
    (d0 / "orders-3.11-delete").mkdir()
    offsets = {row["dir_name"]: row for row in landed(tmp_path, d0)[0]["disk_offsets"]}
    assert offsets["orders-3.00-future"]["high_watermark"] == 50
    assert offsets["orders-3.11-delete"]["high_watermark"] is None
    assert "orders-3" not in offsets


def test_a_garbage_partition_metadata_is_a_row_with_a_problem(
    landed: Landed, tmp_path: Path, d0: Path
) -> None:
    (d0 / "orders-3/partition.metadata").write_bytes(b"garbage")
    tables, landing = landed(tmp_path, d0)
    row = replicas(tables)["orders-3"]
    assert row["topic_id"] is None
    assert row["problem"] == "partition.metadata: it has fewer than two lines"
    assert landing.gaps == []


def test_a_replica_without_the_two_files_is_a_row_without_a_problem(
    landed: Landed, tmp_path: Path, d0: Path
) -> None:
    (d0 / "fresh-0").mkdir()
    row = replicas(landed(tmp_path, d0)[0])["fresh-0"]
    assert (row["topic_id"], row["leader_epochs"], row["problem"]) == (None, None, None)


def test_a_directory_whose_name_cannot_be_parsed_is_a_row_with_a_problem(
    landed: Landed, tmp_path: Path, d0: Path
) -> None:
    (d0 / "lost+found").mkdir()
    row = replicas(landed(tmp_path, d0)[0])["lost+found"]
    assert (row["topic"], row["kind"]) == (None, "current")
    assert row["problem"].startswith("directory name: 'lost+found' is not in the form of topic-partition")


def test_a_name_that_is_no_utf8_is_stored_with_escapes(landed: Landed, tmp_path: Path, d0: Path) -> None:
    os.mkdir(os.fsencode(d0) + b"/caf\xe9-0")  # noqa: PTH102 - a path of bytes
    assert replicas(landed(tmp_path, d0)[0])["caf\\xe9-0"]["partition"] == 0


def test_the_tiered_storage_cache_and_files_are_no_replicas(landed: Landed, tmp_path: Path, d0: Path) -> None:
    (d0 / "remote-log-index-cache").mkdir()
    (d0 / "bootstrap.checkpoint").write_bytes(b"")
    assert set(replicas(landed(tmp_path, d0)[0])) == {
        "__cluster_metadata-0",
        "compacted-0",
        "compacted-1",
        "orders-3",
    }


def test_left_over_tmp_files_are_not_read(landed: Landed, tmp_path: Path, d0: Path) -> None:
    (d0 / "orders-3/partition.metadata.tmp").write_bytes(b"garbage")
    (d0 / "replication-offset-checkpoint.tmp").write_bytes(b"garbage")
    tables, _ = landed(tmp_path, d0)
    assert replicas(tables)["orders-3"]["problem"] is None
    assert tables["log_dirs"][0]["problem"] is None


def test_malformed_files_of_the_log_dir_are_named_in_its_problem(
    landed: Landed, tmp_path: Path, d0: Path
) -> None:
    (d0 / "replication-offset-checkpoint").write_bytes(b"0\n-1\n")
    (d0 / "meta.properties").write_bytes(b"version=9")
    (row,) = landed(tmp_path, d0)[0]["log_dirs"]
    assert row["problem"] == (
        "meta.properties: Unknown meta.properties version number 9; "
        "replication-offset-checkpoint: it announces -1 entries and holds 0"
    )


def test_a_log_dir_without_meta_properties_says_so(landed: Landed, tmp_path: Path) -> None:
    (tmp_path / "d0/orders-3").mkdir(parents=True)
    (row,) = landed(tmp_path, tmp_path / "d0")[0]["log_dirs"]
    assert row["problem"] == f"No `meta.properties` found in {tmp_path}/d0"


def test_a_broker_that_went_down_in_order_left_its_epoch(landed: Landed, tmp_path: Path, d0: Path) -> None:
    (d0 / ".kafka_cleanshutdown").write_text('{"version":0,"brokerEpoch":7}')
    (row,) = landed(tmp_path, d0)[0]["log_dirs"]
    assert (row["is_cleanly_shut"], row["shut_broker_epoch"]) == (True, 7)


@pytest.mark.parametrize("content", ["", "garbage"])
def test_that_the_clean_shutdown_file_is_there_is_what_counts(
    landed: Landed, tmp_path: Path, d0: Path, content: str
) -> None:
    (d0 / ".kafka_cleanshutdown").write_text(content)
    (row,) = landed(tmp_path, d0)[0]["log_dirs"]
    assert (row["is_cleanly_shut"], row["shut_broker_epoch"], row["problem"]) == (True, None, None)


def test_checkpoints_of_the_metadata_log_are_listed(landed: Landed, tmp_path: Path, d0: Path) -> None:
    log = d0 / "__cluster_metadata-0"
    (log / "00000000000000000009-0000000002.checkpoint").touch()
    (log / "00000000000000000012-0000000002-77.checkpoint.part").touch()
    (log / "00000000000000000005-0000000001.checkpoint.deleted").touch()
    (d0 / "bootstrap.checkpoint").touch()
    (row,) = landed(tmp_path, d0)[0]["log_dirs"]
    assert row["metadata_snapshots"] == [
        {"end_offset": 5, "epoch": 1, "status": "deleted"},
        {"end_offset": 9, "epoch": 2, "status": "finished"},
        {"end_offset": 12, "epoch": 2, "status": "part"},
    ]
    assert row["has_bootstrap_checkpoint"]


def test_unfinished_versions_of_the_files_are_counted(landed: Landed, tmp_path: Path, d0: Path) -> None:
    (d0 / "replication-offset-checkpoint.tmp").write_bytes(b"0\n")
    assert landed(tmp_path, d0)[0]["log_dir_space"][0]["tmp_files"] == 1


def test_the_newest_producer_snapshot_tells_how_many_producers_a_partition_has(
    landed: Landed, tmp_path: Path, d0: Path
) -> None:
    (d0 / "orders-3/00000000000000000050.snapshot").write_bytes(b"x" * (10 + 2 * 46))
    (d0 / "orders-3/00000000000000000007.snapshot").write_bytes(b"x" * 10)
    offsets = {row["dir_name"]: row for row in landed(tmp_path, d0)[0]["disk_offsets"]}
    assert (offsets["orders-3"]["producer_snapshot_offset"], offsets["orders-3"]["producers"]) == (50, 2)


def test_brokers_are_read_side_by_side_and_every_row_lands(tmp_path: Path, d0: Path) -> None:
    folder = tmp_path / "landing"
    folder.mkdir()
    landing = Landing(open_storage(folder), "log_dirs", Redactor(None))
    brokers = [{"broker": number, "local": [d0]} for number in range(20)]
    collect(Settings.model_validate({"brokers": brokers, "at_once": 8}), landing)
    assert landing.gaps == []
    landing.flush()
    assert (landing.counts["log_dirs"], landing.counts["disk_replicas"]) == (20, 80)


def test_a_number_of_thousands_of_digits_is_a_problem(landed: Landed, tmp_path: Path, d0: Path) -> None:
    (d0 / "replication-offset-checkpoint").write_text(f"0\n1\norders 3 {'9' * 5000}\n")
    (row,) = landed(tmp_path, d0)[0]["log_dirs"]
    assert row["problem"].startswith('replication-offset-checkpoint: "999')


def test_a_checkpoint_whose_name_is_no_utf8_is_told_with_escapes(
    landed: Landed, tmp_path: Path, d0: Path
) -> None:
    Path(os.fsdecode(os.fsencode(d0) + b"/__cluster_metadata-0/caf\xe9.checkpoint")).touch()
    (row,) = landed(tmp_path, d0)[0]["log_dirs"]
    assert row["problem"].startswith('__cluster_metadata-0/caf\\xe9.checkpoint: "caf\\xe9')


def test_a_time_that_no_clock_shows_is_unknown() -> None:
    assert replica_row(1, "/d0", parse_replica(ReplicaFiles("a-0", File(ORDERS, 1 << 90))))[8] is None
