"""The log dirs in a support bundle: whose they are, by which path, and which are missing."""

import io
import os
import shutil
import tarfile
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from jobs.bundles.bundle import TarBundle, open_bundle
from jobs.bundles.log_dirs.reader import collect_bundle, recognise
from jobs.landing.landing import Landing
from jobs.secrets import Redactor
from jobs.sources.log_dirs.files import Budget
from jobs.sources.log_dirs.settings import Settings
from jobs.sources.log_dirs.ways.tar_reader import open_file
from jobs.storage import open_storage
from schemas.snapshots import Gap

Landed = tuple[set[tuple[int, str]], dict[str, list[dict[str, Any]]], list[Gap]]

RECORDED = Path(__file__).parents[3] / "data/log_dirs/kraft-3.9.1"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A bundle with the two log dirs of broker 1 and the one of controller 100."""
    for recorded, there in (
        ("broker-1-d0", "b1/data/d0"),
        ("broker-1-d1", "b1/data/d1"),
        ("controller-100", "c100/meta"),
    ):
        shutil.copytree(RECORDED / recorded, tmp_path / "bundle" / there)
    return tmp_path / "bundle"


def landed(path: Path, *brokers: tuple[int, *tuple[str, ...]]) -> Landed:
    target = path.parent / "landing"
    target.mkdir()
    landing = Landing(open_storage(target), "log_dirs", Redactor(None))
    settings = Settings.model_validate([{"broker": id, "local": list(paths)} for id, *paths in brokers])
    with open_bundle(path, Budget(1 << 30, 1 << 28)) as bundle:
        found = bundle.find(lambda path, head: ["its"] * recognise(path, head))
        collect_bundle(settings, bundle, found["its"], landing)
    landing.flush()
    tables = {
        table: pq.read_table(target / f"{table}-0.parquet").to_pylist() if landing.counts[table] else []
        for table in ("log_dirs", "disk_replicas")
    }
    return {(row["broker_id"], row["path"]) for row in tables["log_dirs"]}, tables, landing.gaps


def test_a_log_dir_has_the_configured_path_that_it_ends_with(folder: Path) -> None:
    dirs, tables, gaps = landed(folder, (1, "/data/d0", "/data/d1"), (100, "/meta"))
    assert dirs == {(1, "/data/d0"), (1, "/data/d1"), (100, "/meta")}
    assert gaps == []
    replicas = {(row["path"], row["dir_name"]) for row in tables["disk_replicas"] if row["broker_id"] == 1}
    assert ("/data/d0", "orders-3") in replicas
    assert ("/data/d1", "orders-0") in replicas


@pytest.mark.parametrize("mode", ["w", "w:gz"])
def test_a_tar_of_them_says_the_same(folder: Path, mode: str) -> None:
    path = folder.parent / "bundle.tar"
    with tarfile.open(path, mode) as tar:  # type: ignore[call-overload]
        tar.add(folder, "support/case-1")
    dirs, _, gaps = landed(path, (1, "/data/d0", "/data/d1"), (100, "/meta"))
    assert dirs == {(1, "/data/d0"), (1, "/data/d1"), (100, "/meta")}
    assert gaps == []


def test_brokers_with_the_same_paths_are_told_apart_by_their_ids(folder: Path) -> None:
    shutil.copytree(folder / "b1", folder / "b2")
    for meta in (folder / "b2").rglob("meta.properties"):
        meta.write_text(meta.read_text().replace("node.id=1\n", "node.id=2\n"))
    dirs, _, gaps = landed(folder, (1, "/data/d0", "/data/d1"), (2, "/data/d0", "/data/d1"), (100, "/meta"))
    assert dirs == {(id, f"/data/d{number}") for id in (1, 2) for number in (0, 1)} | {(100, "/meta")}
    assert gaps == []


def test_a_configured_log_dir_that_is_not_in_the_bundle_is_a_gap(folder: Path) -> None:
    shutil.rmtree(folder / "b1/data/d1")
    dirs, _, gaps = landed(folder, (1, "/data/d0", "/data/d1"), (3, "/data/d0"), (100, "/meta"))
    assert dirs == {(1, "/data/d0"), (100, "/meta")}
    assert [(gap.scope, gap.reason) for gap in gaps] == [("/1/data/d1", "missing"), ("/3/data/d0", "missing")]


def test_a_log_dir_that_is_there_twice_is_a_gap_and_lands_under_no_other_name(folder: Path) -> None:
    shutil.copytree(folder / "b1/data/d0", folder / "yesterday/data/d0")
    dirs, _, gaps = landed(folder, (1, "/data/d0", "/data/d1"), (100, "/meta"))
    assert dirs == {(1, "/data/d1"), (100, "/meta")}
    assert [gap.scope for gap in gaps] == ["/1/data/d0"]


def test_a_broken_meta_properties_is_a_problem_of_the_log_dir_whose_path_it_has(folder: Path) -> None:
    (folder / "b1/data/d0/meta.properties").write_text("version=7\n")
    dirs, tables, gaps = landed(folder, (1, "/data/d0", "/data/d1"), (100, "/meta"))
    assert (1, "/data/d0") in dirs
    (problem,) = [row["problem"] for row in tables["log_dirs"] if row["problem"]]
    assert "Unknown meta.properties version number 7" in problem
    assert gaps == []


def test_one_that_could_be_anybodys_is_passed_over_and_said(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (folder / "b1/data/d0/meta.properties").write_text("version=7\n")
    dirs, _, gaps = landed(folder, (1, "/other/d0"), (2, "/other/d0"), (100, "/meta"))
    assert dirs == {(100, "/meta")}
    assert {gap.scope for gap in gaps} == {"/1/other/d0", "/2/other/d0"}
    assert "b1/data/d0/meta.properties does not tell whose log dir it is in" in caplog.text


def test_a_log_dir_that_is_not_configured_does_not_land_under_a_name_that_the_next_bundle_lacks(
    folder: Path,
) -> None:
    settings = Settings.model_validate([{"broker": 1, "local": ["/data/d0"]}])
    landing = Landing(open_storage(folder.parent), "log_dirs", Redactor(None))
    with open_bundle(folder, Budget(1 << 30, 1 << 28)) as bundle:
        found = bundle.find(lambda path, head: ["its"] * recognise(path, head))
        collect_bundle(settings, bundle, found["its"], landing)
        assert bundle.refused == [
            "b1/data/d1 (a log dir of broker 1 that was not used: no path under log_dirs in varve.yaml fits it alone)",
            "c100/meta (a log dir of broker 100 that was not used: no path under log_dirs in varve.yaml fits it alone)",
        ]
    landing.flush()
    assert landing.counts["log_dirs"] == 1
    assert landing.gaps == []


def test_a_link_in_the_place_of_a_replica_or_of_its_file_is_a_gap_in_a_folder_and_in_a_tar(
    folder: Path,
) -> None:
    d0 = folder / "b1/data/d0"
    (d0 / "moved-0").symlink_to("/elsewhere")
    (d0 / "orders-3/partition.metadata").unlink()
    (d0 / "orders-3/partition.metadata").symlink_to("/etc/passwd")
    path = folder.parent / "tar/bundle.tar"
    path.parent.mkdir()
    with tarfile.open(path, "w") as tar:
        tar.add(folder, "case-1")
    for bundle in (folder, path):
        _, tables, gaps = landed(bundle, (1, "/data/d0", "/data/d1"), (100, "/meta"))
        assert {(gap.scope, str(gap.reason)) for gap in gaps} == {
            ("/1/data/d0/moved-0", "unreadable"),
            ("/1/data/d0/orders-3", "unreadable"),
        }
        assert "compacted-0" in {row["dir_name"] for row in tables["disk_replicas"]}


class Counted(io.BytesIO):
    """A file that counts the bytes that are read of it."""

    count = 0

    def read(self, size: int | None = -1, /) -> bytes:
        content = super().read(size)
        self.count += len(content)
        return content


def test_a_compressed_tar_is_read_once_however_many_brokers_are_in_it(folder: Path) -> None:
    for broker in range(2, 12):
        shutil.copytree(folder / "b1", folder / f"b{broker}")
        for meta in (folder / f"b{broker}").rglob("meta.properties"):
            meta.write_text(meta.read_text().replace("node.id=1\n", f"node.id={broker}\n"))
    (folder / "server.log").write_bytes(os.urandom(1 << 20))
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w:gz") as tar:
        tar.add(folder, "case-1")
    file = Counted(content.getvalue())
    bundle = TarBundle(folder, open_file(file), Budget(1 << 30, 1 << 28))
    found = bundle.find(lambda path, head: ["its"] * recognise(path, head))
    brokers = [{"broker": id, "local": ["/data/d0", "/data/d1"]} for id in range(1, 12)]
    landing = Landing(open_storage(folder.parent), "log_dirs", Redactor(None))
    collect_bundle(Settings.model_validate(brokers), bundle, found["its"], landing)
    landing.flush()
    assert landing.counts["log_dirs"] == 22
    assert file.count < 1.1 * len(content.getvalue())
