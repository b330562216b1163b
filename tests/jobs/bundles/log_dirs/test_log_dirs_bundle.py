"""The log dirs in a support bundle: whose they are, by which path, and which are missing."""

import shutil
import tarfile
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from jobs.bundles.bundle import open_bundle
from jobs.bundles.log_dirs.reader import collect_bundle, recognise
from jobs.landing.landing import Landing
from jobs.secrets import Redactor
from jobs.sources.log_dirs.settings import Settings
from jobs.storage import open_storage

RECORDED = Path(__file__).parents[3] / "data/log_dirs/kraft-3.9.1"


@pytest.fixture
def folder(tmp_path):
    """A bundle with the two log dirs of broker 1 and the one of controller 100."""
    for recorded, there in (
        ("broker-1-d0", "b1/data/d0"),
        ("broker-1-d1", "b1/data/d1"),
        ("controller-100", "c100/meta"),
    ):
        shutil.copytree(RECORDED / recorded, tmp_path / "bundle" / there)
    return tmp_path / "bundle"


def landed(path, *brokers):
    target = path.parent / "landing"
    target.mkdir()
    landing = Landing(open_storage(target), "log_dirs", Redactor(None))
    settings = Settings.model_validate([{"broker": id, "local": list(paths)} for id, *paths in brokers])
    with open_bundle(path) as bundle:
        found = bundle.find(lambda path, head: ["its"] * recognise(path, head))
        collect_bundle(settings, bundle, found["its"], landing)
    landing.flush()
    tables = {
        table: pq.read_table(target / f"{table}-0.parquet").to_pylist() if landing.counts[table] else []
        for table in ("log_dirs", "disk_replicas")
    }
    return {(row["broker_id"], row["path"]) for row in tables["log_dirs"]}, tables, landing.gaps


def test_a_log_dir_has_the_configured_path_that_it_ends_with(folder):
    dirs, tables, gaps = landed(folder, (1, "/data/d0", "/data/d1"), (100, "/meta"))
    assert dirs == {(1, "/data/d0"), (1, "/data/d1"), (100, "/meta")}
    assert gaps == []
    replicas = {(row["path"], row["dir_name"]) for row in tables["disk_replicas"] if row["broker_id"] == 1}
    assert ("/data/d0", "orders-3") in replicas
    assert ("/data/d1", "orders-0") in replicas


@pytest.mark.parametrize("mode", ["w", "w:gz"])
def test_a_tar_of_them_says_the_same(folder, mode):
    path = folder.parent / "bundle.tar"
    with tarfile.open(path, mode) as tar:
        tar.add(folder, "support/case-1")
    dirs, _, gaps = landed(path, (1, "/data/d0", "/data/d1"), (100, "/meta"))
    assert dirs == {(1, "/data/d0"), (1, "/data/d1"), (100, "/meta")}
    assert gaps == []


def test_brokers_with_the_same_paths_are_told_apart_by_their_ids(folder):
    shutil.copytree(folder / "b1", folder / "b2")
    for meta in (folder / "b2").rglob("meta.properties"):
        meta.write_text(meta.read_text().replace("node.id=1\n", "node.id=2\n"))
    dirs, _, gaps = landed(folder, (1, "/data/d0", "/data/d1"), (2, "/data/d0", "/data/d1"), (100, "/meta"))
    assert dirs == {(id, f"/data/d{number}") for id in (1, 2) for number in (0, 1)} | {(100, "/meta")}
    assert gaps == []


def test_a_configured_log_dir_that_is_not_in_the_bundle_is_a_gap(folder):
    shutil.rmtree(folder / "b1/data/d1")
    dirs, _, gaps = landed(folder, (1, "/data/d0", "/data/d1"), (3, "/data/d0"), (100, "/meta"))
    assert dirs == {(1, "/data/d0"), (100, "/meta")}
    assert [(gap.scope, gap.reason) for gap in gaps] == [("/1/data/d1", "missing"), ("/3/data/d0", "missing")]


def test_a_log_dir_that_is_there_twice_is_a_gap_and_lands_under_no_other_name(folder):
    shutil.copytree(folder / "b1/data/d0", folder / "yesterday/data/d0")
    dirs, _, gaps = landed(folder, (1, "/data/d0", "/data/d1"), (100, "/meta"))
    assert dirs == {(1, "/data/d1"), (100, "/meta")}
    assert [gap.scope for gap in gaps] == ["/1/data/d0"]


def test_a_broken_meta_properties_is_a_problem_of_the_log_dir_whose_path_it_has(folder):
    (folder / "b1/data/d0/meta.properties").write_text("version=7\n")
    dirs, tables, gaps = landed(folder, (1, "/data/d0", "/data/d1"), (100, "/meta"))
    assert (1, "/data/d0") in dirs
    (problem,) = [row["problem"] for row in tables["log_dirs"] if row["problem"]]
    assert "Unknown meta.properties version number 7" in problem
    assert gaps == []


def test_one_that_could_be_anybodys_is_passed_over_and_said(folder, caplog):
    (folder / "b1/data/d0/meta.properties").write_text("version=7\n")
    dirs, _, gaps = landed(folder, (1, "/other/d0"), (2, "/other/d0"), (100, "/meta"))
    assert dirs == {(100, "/meta")}
    assert {gap.scope for gap in gaps} == {"/1/other/d0", "/2/other/d0"}
    assert "b1/data/d0/meta.properties does not tell whose log dir it is in" in caplog.text


def test_a_log_dir_that_is_not_configured_does_not_land_under_a_name_that_the_next_bundle_lacks(folder):
    settings = Settings.model_validate([{"broker": 1, "local": ["/data/d0"]}])
    landing = Landing(open_storage(folder.parent), "log_dirs", Redactor(None))
    with open_bundle(folder) as bundle:
        found = bundle.find(lambda path, head: ["its"] * recognise(path, head))
        collect_bundle(settings, bundle, found["its"], landing)
        assert bundle.refused == [
            "b1/data/d1 (a log dir of broker 1 that is not under log_dirs in varve.yaml)",
            "c100/meta (a log dir of broker 100 that is not under log_dirs in varve.yaml)",
        ]
    landing.flush()
    assert landing.counts["log_dirs"] == 1
    assert landing.gaps == []
