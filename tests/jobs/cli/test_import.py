"""`varve import` with wrong words and wrong bundles: one clear line each, and nothing is left in the lake."""

import json
import shutil
import tarfile
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

Varve = Callable[..., Any]
RECORDED = Path(__file__).parents[2] / "data"
AT = "2026-11-21T00:05"


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    shutil.copytree(RECORDED / "zookeeper/data-folder-3.8.4", tmp_path / "case/zk")
    shutil.copytree(RECORDED / "kafka/quorum-output-3.9.1", tmp_path / "case/quorum")
    return tmp_path / "case"


def refused(ended: Any, code: int, said: str) -> bool:
    assert (ended.code, ended.out) == (code, "")
    assert said in ended.err
    assert ended.err.count("\n") == 1
    return True


def landed(lake: Any) -> list[Path]:
    return [path for path in lake.root.rglob("_landing/**/*") if path.is_file()]


def test_an_empty_folder_says_what_was_looked_for(varve: Varve, lake: Any, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    ended = varve("import", str(tmp_path / "empty"), "--cluster", "orders", "--at", AT)
    assert refused(
        ended, 2, "holds nothing of orders. Looked for: zookeeper: a ZooKeeper server's data folder"
    )
    assert landed(lake) == []


def test_a_file_that_is_no_tar_is_named(varve: Varve, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("notes")
    ended = varve("import", str(tmp_path / "notes.txt"), "--cluster", "orders", "--at", AT)
    assert refused(ended, 2, "notes.txt is neither a folder nor a tar")


def test_a_path_that_is_not_there_is_named(varve: Varve, tmp_path: Path) -> None:
    assert refused(varve("import", str(tmp_path / "no"), "--cluster", "orders", "--at", AT), 2, "There is no")


def test_an_unknown_cluster_is_named_with_those_that_there_are(varve: Varve, bundle: Path) -> None:
    ended = varve("import", str(bundle), "--cluster", "payments", "--at", AT)
    assert refused(ended, 2, "There is no cluster 'payments' in varve.yaml; it has: orders, billing")


def test_a_time_that_is_none_or_is_to_come_is_said(varve: Varve, bundle: Path) -> None:
    assert refused(
        varve("import", str(bundle), "--cluster", "orders", "--at", "noon"), 2, "'noon' is no point in time"
    )
    tomorrow = (datetime.now(UTC) + timedelta(days=1)).isoformat()
    ended = varve("import", str(bundle), "--cluster", "orders", "--at", tomorrow)
    assert refused(ended, 2, "is in the future: say with --at when the bundle was made")


@pytest.mark.parametrize("missing", [["--at", AT], ["--cluster", "orders"]])
def test_cluster_and_time_are_required(varve: Varve, bundle: Path, missing: list[str]) -> None:
    assert varve("import", str(bundle), *missing).code == 2


@pytest.mark.usefixtures("written")
def test_a_time_before_the_newest_snapshot_is_refused_as_in_processing(
    varve: Varve, lake: Any, bundle: Path
) -> None:
    ended = varve("import", str(bundle), "--cluster", "orders", "--at", AT)
    assert refused(
        ended,
        1,
        "Snapshot 20261121T000500Z of orders is older than 20261121T001000Z, the newest one that was begun",
    )
    assert landed(lake) == []


@pytest.mark.usefixtures("written")
def test_the_time_of_a_snapshot_that_is_there_changes_nothing(varve: Varve, lake: Any, bundle: Path) -> None:
    ended = varve("import", str(bundle), "--cluster", "orders", "--at", "20261121T001000Z")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out == "snapshot 20261121T001000Z of orders is there already: nothing was changed\n"
    assert landed(lake) == []


def test_a_bundle_of_other_sources_says_which(varve: Varve, bundle: Path) -> None:
    shutil.rmtree(bundle / "zk")
    ended = varve("import", str(bundle), "--cluster", "orders", "--at", AT)
    assert refused(ended, 2, "holds nothing of orders. It holds kafka, which orders does not have.")


def test_a_bundle_that_cannot_be_read_says_why_and_makes_no_snapshot(
    varve: Varve, lake: Any, bundle: Path
) -> None:
    ended = varve("import", str(bundle), "--cluster", "orders", "--at", AT)
    assert refused(
        ended,
        1,
        "There is no Kafka cluster at /kafka in the bundle's ZooKeeper tree (it holds Kafka clusters at /k)",
    )
    (manifest,) = landed(lake)
    assert json.loads(manifest.read_text())["status"] == "failed"


def test_a_tar_that_is_cut_off_is_said(varve: Varve, lake: Any, bundle: Path) -> None:
    with tarfile.open(bundle.parent / "case.tar", "w") as tar:
        tar.add(bundle, "case")
    whole = (bundle.parent / "case.tar").read_bytes()
    (bundle.parent / "case.tar").write_bytes(whole[:20_000])
    ended = varve("import", str(bundle.parent / "case.tar"), "--cluster", "orders", "--at", AT)
    assert refused(ended, 2, "case.tar is damaged or cut off")
    assert landed(lake) == []
