"""The Kafka part of a support bundle: captured output of kafka-metadata-quorum.sh."""

import shutil
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from jobs.bundles.bundle import open_bundle
from jobs.bundles.kafka.reader import collect_bundle, recognise
from jobs.errors import NotReadError
from jobs.landing.landing import Landing
from jobs.secrets import Redactor
from jobs.sources.kafka.settings import Settings
from jobs.storage import open_storage

RECORDED = Path(__file__).parents[3] / "data/kafka/quorum-output-3.9.1"


def landed(folder: Path) -> tuple[Landing, dict[str, list[dict[str, Any]]]]:
    target = folder.parent / "landing"
    target.mkdir()
    landing = Landing(open_storage(target), "kafka", Redactor(None))
    with open_bundle(folder) as bundle:
        (paths,) = bundle.find(lambda path, head: ["its"] * recognise(path, head)).values()
        collect_bundle(Settings(bootstrap_servers="b:9092"), bundle, paths, landing)
    landing.flush()
    return landing, {
        table: pq.read_table(target / f"{table}-0.parquet").to_pylist() if landing.counts[table] else []
        for table in ("quorum", "quorum_members", "quorum_progress")
    }


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "bundle").mkdir()
    return tmp_path / "bundle"


def test_both_outputs_say_together_what_the_api_does(folder: Path) -> None:
    shutil.copy(RECORDED / "status.txt", folder)
    shutil.copy(RECORDED / "replication.txt", folder)
    landing, tables = landed(folder)
    assert tables["quorum"] == [{"leader_id": 101, "leader_epoch": 1}]
    assert len(tables["quorum_members"]) == 4
    assert {
        (row["high_watermark"], row["log_end_offset"], row["lag"]) for row in tables["quorum_progress"]
    } == {(18, 20, 0)}
    assert {gap.reason for gap in landing.gaps} == {"not-collected"}


def test_everything_else_the_api_would_say_is_a_gap(folder: Path) -> None:
    shutil.copy(RECORDED / "status.txt", folder)
    scopes = {gap.scope for gap in landed(folder)[0].gaps}
    assert scopes >= {"/cluster", "/topics", "/configs"}
    assert "/quorum" not in scopes


def test_both_in_one_file_are_found(folder: Path) -> None:
    both = (RECORDED / "status.txt").read_text() + (RECORDED / "replication.txt").read_text()
    (folder / "quorum.log").write_text(both)
    _, tables = landed(folder)
    assert (len(tables["quorum"]), len(tables["quorum_progress"])) == (1, 4)
    assert tables["quorum_progress"][0]["log_end_offset"] == 20


def test_status_alone_leaves_offsets_unknown(folder: Path) -> None:
    shutil.copy(RECORDED / "status.txt", folder)
    _, tables = landed(folder)
    assert len(tables["quorum"]) == 1
    assert {(row["high_watermark"], row["log_end_offset"]) for row in tables["quorum_progress"]} == {
        (18, None)
    }


def test_replication_alone_leaves_the_leaders_epoch_a_gap(folder: Path) -> None:
    shutil.copy(RECORDED / "replication.txt", folder)
    landing, tables = landed(folder)
    assert tables["quorum"] == []
    assert len(tables["quorum_members"]) == 4
    assert ("/quorum/leader", "not-collected") in {(gap.scope, gap.reason) for gap in landing.gaps}


def test_a_member_that_only_one_of_them_lists_is_there(folder: Path) -> None:
    shutil.copy(RECORDED / "status.txt", folder)
    lines = (RECORDED / "replication.txt").read_text().splitlines(keepends=True)
    extra = lines[-1].replace("YWxS-pmiuRtqyJqG4ltHhQ", "yGVMJ3BXQ9Cfhv0bn6iCkg")
    (folder / "replication.txt").write_text("".join([*lines[:-1], extra]))
    _, tables = landed(folder)
    ones = [row for row in tables["quorum_progress"] if row["node_id"] == 1]
    assert {(row["directory_id"], row["log_end_offset"]) for row in ones} == {
        ("YWxS-pmiuRtqyJqG4ltHhQ", None),
        ("yGVMJ3BXQ9Cfhv0bn6iCkg", 20),
    }


def test_of_two_leaders_that_of_status_counts_and_it_is_said(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    shutil.copy(RECORDED / "status.txt", folder)
    other = (
        (RECORDED / "replication.txt")
        .read_text()
        .replace("Leader  ", "Follower")
        .replace("Observer", "Leader", 1)
    )
    (folder / "replication.txt").write_text(other)
    _, tables = landed(folder)
    assert tables["quorum"] == [{"leader_id": 101, "leader_epoch": 1}]
    assert {row["log_end_offset"] for row in tables["quorum_progress"]} == {None}
    assert "names 101 as the leader and --replication 102" in caplog.text


def test_a_broken_status_beside_a_whole_replication_is_a_gap_that_names_it(folder: Path) -> None:
    (folder / "status.txt").write_text((RECORDED / "status.txt").read_text()[:90])
    shutil.copy(RECORDED / "replication.txt", folder)
    landing, tables = landed(folder)
    (gap,) = [gap for gap in landing.gaps if gap.scope == "/quorum/leader"]
    assert (gap.reason, gap.message) == ("unreadable", "status.txt: the line 'CurrentVoters' is missing")
    assert len(tables["quorum_members"]) == 4


def test_nothing_whole_is_an_error_that_names_the_file(folder: Path) -> None:
    (folder / "status.txt").write_text((RECORDED / "status.txt").read_text()[:90])
    with pytest.raises(NotReadError, match=r"status\.txt: the line 'CurrentVoters' is missing"):
        landed(folder)


@pytest.mark.parametrize("text", [b"", b"NodeId of the cluster", b"the ClusterId: abc", b"\xff\xfe\0C\0l"])
def test_other_files_are_not_taken_for_output(text: bytes) -> None:
    assert not recognise("status.txt", text)
