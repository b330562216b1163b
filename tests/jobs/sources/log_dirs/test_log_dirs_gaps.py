"""What of a log dir could not be read is a gap, and takes nothing for gone."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jobs.landing.landing import Landing
from jobs.secrets import Redactor
from jobs.sources.log_dirs.collect import collect
from jobs.sources.log_dirs.explain import why_log_dir
from jobs.sources.log_dirs.settings import Settings
from jobs.sources.log_dirs.ways import local
from jobs.sources.log_dirs.ways.local import Folder
from jobs.storage import open_storage

Landed = Callable[..., tuple[dict[str, list[dict[str, Any]]], Landing]]


def replicas(tables: dict[str, list[dict[str, Any]]]) -> dict[str, dict[str, Any]]:
    return {row["dir_name"]: row for row in tables["disk_replicas"]}


def test_a_missing_log_dir_is_a_gap_and_the_others_are_read(landed: Landed, tmp_path: Path, d0: Path) -> None:
    tables, landing = landed(tmp_path, tmp_path / "gone", d0)
    (gap,) = landing.gaps
    assert (gap.scope, gap.reason) == (f"/1{tmp_path}/gone", "missing")
    assert gap.message == (
        f"There is no log dir {tmp_path}/gone of broker 1: check the path under log_dirs in varve.yaml, "
        "and whether the disk is mounted."
    )
    assert len(tables["log_dirs"]) == 1


def test_a_gap_says_what_to_do_about_rights_and_about_a_broken_disk() -> None:
    refused = why_log_dir(PermissionError(13, "Permission denied"), 1, "/d0")
    assert refused.reason == "unauthorized"
    assert str(refused) == (
        "The log dir /d0 of broker 1 may not be read: let the user Varve runs as read and enter it."
    )
    broken = why_log_dir(OSError(5, "Input/output error"), 1, "/d0")
    assert broken.reason == "unreadable"
    assert str(broken) == "The log dir /d0 of broker 1 cannot be read (Input/output error): check the disk."


def test_a_mount_point_without_its_disk_is_a_gap_and_no_empty_log_dir(landed: Landed, tmp_path: Path) -> None:
    (tmp_path / "d0").mkdir()
    tables, landing = landed(tmp_path, tmp_path / "d0")
    (gap,) = landing.gaps
    assert (gap.scope, gap.reason) == (f"/1{tmp_path}/d0", "missing")
    assert gap.message.startswith(
        f"The log dir {tmp_path}/d0 of broker 1 holds nothing of Kafka's, as the mount"
    )
    assert tables["log_dirs"] == []


def test_more_bytes_than_allowed_are_a_gap_at_that_broker_only(tmp_path: Path, d0: Path) -> None:
    (tmp_path / "small/a-0").mkdir(parents=True)
    landing = Landing(open_storage(tmp_path), "log_dirs", Redactor(None))
    brokers = [{"broker": 1, "local": [d0]}, {"broker": 2, "local": [tmp_path / "small"]}]
    collect(Settings.model_validate({"brokers": brokers, "max_bytes": 200}), landing)
    (gap,) = landing.gaps
    assert (gap.scope, gap.reason) == (f"/1{d0}", "unreadable")
    assert "more to read than 200 bytes" in gap.message


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything: run the tests as another user")
def test_a_log_dir_that_may_not_be_read_is_a_gap(landed: Landed, tmp_path: Path, d0: Path) -> None:
    d0.chmod(0)
    _, landing = landed(tmp_path, d0)
    d0.chmod(0o700)
    assert [(gap.scope, gap.reason) for gap in landing.gaps] == [(f"/1{d0}", "unauthorized")]


def test_a_file_that_cannot_be_read_is_a_gap_at_its_replica_and_no_row(
    landed: Landed, tmp_path: Path, d0: Path
) -> None:
    (d0 / "orders-3/partition.metadata").unlink()
    (d0 / "orders-3/partition.metadata").mkdir()
    tables, landing = landed(tmp_path, d0)
    assert [(gap.scope, gap.reason) for gap in landing.gaps] == [(f"/1{d0}/orders-3", "unreadable")]
    assert "orders-3" not in replicas(tables)
    assert "compacted-0" in replicas(tables)


@pytest.mark.parametrize(
    ("name", "scope"),
    [
        ("meta.properties", "meta.properties"),
        (".kafka_cleanshutdown", "meta.properties"),
        ("__cluster_metadata-0/quorum-state", "meta.properties"),
        ("replication-offset-checkpoint", "replication-offset-checkpoint"),
    ],
)
def test_a_file_of_the_log_dir_that_cannot_be_read_is_a_gap_and_no_problem(
    landed: Landed, name: str, scope: str, tmp_path: Path, d0: Path
) -> None:
    (d0 / name).unlink(missing_ok=True)
    (d0 / name).mkdir()
    tables, landing = landed(tmp_path, d0)
    (gap,) = landing.gaps
    assert (gap.scope, gap.reason) == (f"/1{d0}/{scope}", "unreadable")
    assert f"{d0}/{name} cannot be read (Is a directory)" in gap.message
    assert [row["problem"] for row in tables["log_dirs"]] == [None]


def test_a_directory_that_vanishes_and_is_made_again_is_read_as_it_is_then(
    landed: Landed, tmp_path: Path, d0: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed, times = local._listing, []

    def vanishing(folder: Folder) -> tuple[list[str], list[str]]:
        found = listed(folder)
        if not times:
            (d0 / "orders-3").rename(tmp_path / "away")
        elif len(times) == 1:
            (tmp_path / "away").rename(d0 / "orders-3")
            found = listed(folder)
        times.append(1)
        return found

    monkeypatch.setattr(local, "_listing", vanishing)
    tables, landing = landed(tmp_path, d0)
    assert replicas(tables)["orders-3"]["topic_id"]
    assert landing.gaps == []


def test_a_disk_without_anything_of_kafka_s_is_no_empty_log_dir(landed: Landed, tmp_path: Path) -> None:
    (tmp_path / "d0/lost+found").mkdir(parents=True)
    tables, landing = landed(tmp_path, tmp_path / "d0")
    assert [(gap.scope, gap.reason) for gap in landing.gaps] == [(f"/1{tmp_path}/d0", "missing")]
    assert tables["disk_replicas"] == []


def test_a_metadata_log_that_cannot_be_listed_again_is_a_gap_and_its_snapshots_are_not_gone(
    landed: Landed, tmp_path: Path, d0: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: str) -> list[str]:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(local.os, "listdir", broken)
    _, landing = landed(tmp_path, d0)
    assert [(gap.scope, gap.reason) for gap in landing.gaps] == [
        (f"/1{d0}/meta.properties", "unreadable"),
        (f"/1{d0}/__cluster_metadata-0", "unreadable"),
    ]
