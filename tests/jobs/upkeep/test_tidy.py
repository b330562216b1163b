"""Upkeep of a Delta table: fewer files, the same rows, and nothing goes that a reader may still be reading."""

import os
import time
from pathlib import Path
from typing import Any

import pytest

from jobs.lake import ddl
from jobs.lake.files import stored_files
from jobs.lake.read import open_reader
from jobs.upkeep import tidy as tidying
from jobs.upkeep.tidy import Tidied, sweep, tidy
from tests.jobs.conftest import WrittenLake

IDS = [f"20261121T14{minute:02}00Z" for minute in range(12)]
TOPICS = "SELECT topic, partitions, valid_from, valid_to FROM topics_history ORDER BY ALL"


def grow(lake: Any, ids: list[str]) -> None:
    for number, snapshot_id in enumerate(ids):
        op = "update" if stored_files(lake.storage, "orders", "topics") else "keyframe"
        lake.change("topics", snapshot_id, op, IDS[0], topic="a", partitions=number)
        lake.commit(snapshot_id)


def test_small_files_become_one_with_the_same_rows(lake: Any) -> None:
    grow(lake, IDS)
    before = open_reader(lake.storage, ["orders"]).query(TOPICS).rows
    assert tidy(lake.storage, "orders", "topics") == Tidied(files_before=12, files=1, deleted=0)
    assert tidy(lake.storage, "orders", "snapshots") == Tidied(files_before=12, files=1, deleted=0)
    assert open_reader(lake.storage, ["orders"]).query(TOPICS).rows == before
    assert len(before) == 12


def test_a_table_of_few_small_files_and_one_that_is_not_there_are_left_alone(lake: Any) -> None:
    grow(lake, IDS[:7])
    assert tidy(lake.storage, "orders", "topics") is None
    assert tidy(lake.storage, "orders", "brokers") is None
    assert len(stored_files(lake.storage, "orders", "topics")) == 7


def test_files_of_different_eras_are_not_merged(lake: Any) -> None:
    for snapshot_id in IDS:
        lake.change("topics", snapshot_id, "keyframe", snapshot_id, topic="a", partitions=1)
    assert tidy(lake.storage, "orders", "topics") is None


def test_a_reader_that_was_opened_before_finds_its_files_afterwards(lake: Any) -> None:
    grow(lake, IDS)
    files = stored_files(lake.storage, "orders", "topics")
    tidy(lake.storage, "orders", "topics")
    assert all(Path(file.here).exists() for file in files)


def test_files_and_log_entries_that_nobody_needs_go_after_a_day(lake: Any) -> None:
    grow(lake, IDS)
    tidy(lake.storage, "orders", "topics")
    table = lake.root / "orders" / "topics"
    for path in [each for each in table.rglob("*") if each.is_file()]:
        os.utime(path, (path.stat().st_mtime - 3 * 86400,) * 2)
    grow(lake, [f"20261121T15{minute:02}00Z" for minute in range(12)])
    tidied = tidy(lake.storage, "orders", "topics")
    assert tidied == Tidied(files_before=13, files=1, deleted=0)
    assert len(list((table / "_delta_log").glob("*.json"))) <= 14
    assert len(open_reader(lake.storage, ["orders"]).query(TOPICS).rows) == 24


@pytest.fixture(params=["a folder", "S3"])
def anywhere(request: pytest.FixtureRequest, tmp_path: Path) -> WrittenLake:
    return WrittenLake(
        tmp_path / "lake" if request.param == "a folder" else request.getfixturevalue("s3").place()
    )


def test_files_that_no_version_needs_go_when_their_time_is_over(
    anywhere: WrittenLake, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tidying, "_HOURS", 0)
    monkeypatch.setitem(ddl._PROPERTIES, "delta.deletedFileRetentionDuration", "interval 1 seconds")
    grow(anywhere, IDS)
    assert tidy(anywhere.storage, "orders", "topics") == Tidied(files_before=12, files=1, deleted=0)
    time.sleep(1.1)  # a checkpoint that is written from now on forgets the twelve files
    grow(anywhere, [f"20261121T15{minute:02}00Z" for minute in range(8)])
    assert tidy(anywhere.storage, "orders", "topics") == Tidied(files_before=9, files=1, deleted=12)
    files = [*anywhere.storage.list("orders/topics")]
    assert len([file for file in files if file.endswith(".parquet") and "/_delta_log/" not in file]) == 10
    assert len([file for file in files if file.endswith(".json")]) == 10
    assert len(open_reader(anywhere.storage, ["orders"]).query(TOPICS).rows) == 20
    time.sleep(1.1)
    assert sweep(anywhere.storage, "orders", "topics") == 9
    assert sweep(anywhere.storage, "orders", "topics") == 0
    assert len(open_reader(anywhere.storage, ["orders"]).query(TOPICS).rows) == 20
