"""What of a log dir could not be read is a gap, and takes nothing for gone."""

import asyncio
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import Any

import pyarrow.parquet as pq
import pytest

from jobs.errors import NotReadError
from jobs.landing.landing import Landing
from jobs.secrets import Redactor
from jobs.sources.log_dirs.collect import collect, land_log_dir
from jobs.sources.log_dirs.contents import LogDirFiles
from jobs.sources.log_dirs.explain import why_log_dir
from jobs.sources.log_dirs.files import Budget
from jobs.sources.log_dirs.read import read_log_dirs, read_roots
from jobs.sources.log_dirs.settings import Settings
from jobs.sources.log_dirs.walk import Place, read_log_dir
from jobs.sources.log_dirs.ways.disk import Disk, Stat
from jobs.sources.log_dirs.ways.local import LocalDisk
from jobs.storage import open_storage
from schemas.snapshots import GapReason

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


def test_what_the_system_refuses_before_anything_is_read_is_told_for_every_path_of_the_broker() -> None:
    entry = {"broker": 1, "ssh": "varve@b1", "paths": ["/d0", "/d1"], "known_hosts": "/" + "x" * 300}
    settings = Settings.model_validate([entry])
    found = read_log_dirs(settings.brokers[0], settings)
    assert list(found) == ["/d0", "/d1"]
    assert str(found["/d1"]).startswith(
        "The log dirs of broker 1 cannot be read: [Errno 36] File name too long"
    )


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


def test_a_disk_without_anything_of_kafka_s_is_no_empty_log_dir(landed: Landed, tmp_path: Path) -> None:
    (tmp_path / "d0/lost+found").mkdir(parents=True)
    tables, landing = landed(tmp_path, tmp_path / "d0")
    assert [(gap.scope, gap.reason) for gap in landing.gaps] == [(f"/1{tmp_path}/d0", "missing")]
    assert tables["disk_replicas"] == []


def nothing() -> None:
    """A step that changes nothing."""


class Moving(LocalDisk):
    """A disk that changes while it is read: the steps of a directory are done before it is listed, one each time."""

    def __init__(self, steps: dict[Path, list[Callable[[], object]]]) -> None:
        super().__init__()
        self._steps = {str(directory): steps for directory, steps in steps.items()}

    async def list(self, path: str) -> dict[str, Stat]:
        if steps := self._steps.get(path):
            steps.pop(0)()
        return await super().list(path)


def landed_from(disk: Disk, d0: Path, folder: Path) -> tuple[set[str], list[tuple[str, str]]]:
    """What lands of a disk: the replicas' directories, and scope and reason of each gap."""
    landing = Landing(open_storage(folder), "log_dirs", Redactor(None))
    found = asyncio.run(read_log_dir(disk, Place(1, str(d0), str(d0)), Budget(1 << 20, 1 << 20)))
    land_log_dir(1, str(d0), found, landing, Lock())
    landing.flush()
    names = {
        name
        for file in landing.files.get("disk_replicas", ())
        for name in pq.read_table(folder / file)["dir_name"].to_pylist()
    }
    return names, [(gap.scope, str(gap.reason)) for gap in landing.gaps]


def test_a_directory_that_vanishes_and_is_made_again_is_read_as_it_is_then(tmp_path: Path, d0: Path) -> None:
    away, there = tmp_path / "away", d0 / "orders-3"
    disk = Moving({there: [lambda: there.rename(away)], d0: [nothing, lambda: away.rename(there)]})
    names, gaps = landed_from(disk, d0, tmp_path)
    assert "orders-3" in names
    assert gaps == []


def test_a_directory_that_vanishes_whenever_it_is_to_be_read_is_a_gap(tmp_path: Path, d0: Path) -> None:
    away, there = tmp_path / "away", d0 / "orders-3"
    there.rename(away)

    class Flickering(LocalDisk):
        async def list(self, path: str) -> dict[str, Stat]:
            found = await super().list(path)
            return found | {"orders-3": await self.stat(str(away))} if path == str(d0) else found

    names, gaps = landed_from(Flickering(), d0, tmp_path)
    assert "orders-3" not in names
    assert gaps == [(f"/1{d0}/orders-3", "unsettled")]


def test_another_disk_that_is_mounted_meanwhile_is_a_gap(tmp_path: Path, d0: Path) -> None:
    def mount() -> None:
        d0.rename(tmp_path / "before")
        shutil.copytree(tmp_path / "before", d0)

    assert landed_from(Moving({d0 / "orders-3": [mount]}), d0, tmp_path) == (
        set(),
        [(f"/1{d0}", "unsettled")],
    )


def test_a_file_in_the_place_of_the_metadata_log_is_none_and_no_gap(tmp_path: Path, d0: Path) -> None:
    shutil.rmtree(d0 / "__cluster_metadata-0")
    (d0 / "__cluster_metadata-0").touch()
    assert landed_from(LocalDisk(), d0, tmp_path) == ({"compacted-0", "compacted-1", "orders-3"}, [])


def test_a_disk_that_is_lost_half_way_costs_what_was_not_read_yet(tmp_path: Path, d0: Path) -> None:
    d1, d2 = (shutil.copytree(d0, tmp_path / name) for name in ("d1", "d2"))

    def lose() -> None:
        raise NotReadError(GapReason.UNREACHABLE, "b1 is lost.")

    roots = {str(path): str(path) for path in (d0, d1, d2)}
    settings = Settings.model_validate([{"broker": 1, "local": list(roots)}])
    found = asyncio.run(read_roots(1, roots, Moving({d1: [lose]}), settings))
    assert list(found) == [str(d0), str(d1), str(d2)]
    assert isinstance(found[str(d0)], LogDirFiles)
    assert [str(found[str(path)]) for path in (d1, d2)] == ["b1 is lost."] * 2


def test_a_metadata_log_that_cannot_be_listed_again_is_a_gap_and_its_checkpoints_are_not_gone(
    tmp_path: Path, d0: Path
) -> None:
    def fail() -> None:
        raise OSError(5, "Input/output error")

    disk = Moving({d0 / "__cluster_metadata-0": [nothing, fail]})
    _, gaps = landed_from(disk, d0, tmp_path)
    assert gaps == [
        (f"/1{d0}/meta.properties", "unreadable"),
        (f"/1{d0}/__cluster_metadata-0", "unreadable"),
    ]
