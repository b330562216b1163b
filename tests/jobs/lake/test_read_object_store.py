"""A lake in an object store is read from copies of its files on this machine."""

import os
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from jobs.errors import SnapshotRefusedError, VarveError
from jobs.lake.files import changed_here, stored_files
from jobs.lake.read import open_reader
from jobs.landing.order import only_writer
from jobs.storage import Bucket, open_storage
from jobs.upkeep.tidy import sweep, tidy
from tests.jobs.conftest import WrittenLake
from tests.jobs.lake.conftest import FIRST, SECOND, topics
from tests.s3_server import S3Server


@pytest.fixture
def copies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the copies."""
    monkeypatch.setattr("jobs.storage.fetched.cache", lambda: tmp_path / "cache")
    return tmp_path / "cache" / "files"


@pytest.fixture
def lake(s3: S3Server, copies: Path) -> WrittenLake:  # noqa: ARG001
    return WrittenLake(s3.place())


def test_the_same_is_read_as_from_a_folder(two_snapshots: Any) -> None:
    assert topics(two_snapshots) == [("a", 1), ("b", 2), ("d", 4)]
    assert topics(two_snapshots, FIRST) == [("a", 1), ("b", 1), ("c", 1)]


def test_a_file_is_fetched_once_and_only_this_user_can_read_it(two_snapshots: Any, copies: Path) -> None:
    topics(two_snapshots)
    fetched = _files(copies)
    assert len([path for path in fetched if "/topics/generation=" in str(path)]) == 6
    before = {path: path.stat().st_ino for path in fetched}
    topics(two_snapshots)
    assert {path: path.stat().st_ino for path in _files(copies)} == before
    assert copies.stat().st_mode & 0o777 == 0o700


def test_a_question_that_was_asked_before_costs_one_request_for_each_table_that_is_read(
    two_snapshots: Any, s3: S3Server
) -> None:
    asked = "SELECT topic FROM topics ORDER BY topic"
    first = open_reader(two_snapshots.storage, ["orders"]).query(asked).rows
    before = s3.requests()
    assert open_reader(open_storage(two_snapshots.root), ["orders"]).query(asked).rows == first
    assert s3.requests() - before == len(["snapshots", "topics"])


def test_several_tables_are_looked_up_once_however_often_a_reader_is_asked(
    lake: WrittenLake, s3: S3Server
) -> None:
    lake.change("topics", FIRST, "keyframe", FIRST, topic="a")
    lake.change("brokers", FIRST, "keyframe", FIRST, broker_id=1)
    lake.commit(FIRST)
    asked = "SELECT count(*) FROM topics, brokers"
    open_reader(lake.storage, ["orders"]).query(asked)
    before = s3.requests()
    reader = open_reader(open_storage(lake.root), ["orders"])
    assert reader.query(asked).rows == reader.query(asked).rows == [(1,)]
    assert s3.requests() - before == len(["snapshots", "topics", "brokers"])


def test_settled_logs_are_as_they_were_first_found_until_they_changed(lake: WrittenLake) -> None:
    lake.change("topics", FIRST, "keyframe", FIRST, topic="a")
    settled = [lake.storage.settled(), lake.storage.settled("orders")]
    assert [len(stored_files(each, "orders", "topics")) for each in settled] == [1, 1]
    lake.change("topics", SECOND, "create", FIRST, topic="b")
    lake.change("brokers", SECOND, "create", FIRST, broker_id=1)
    assert [len(stored_files(each, "orders", "topics")) for each in settled] == [1, 1]
    # A table that nobody asked for is looked up when somebody does, but where all in the folder were looked up.
    assert [len(stored_files(each, "orders", "brokers")) for each in settled] == [1, 0]
    for each in settled:
        each.changed("orders/topics")
        each.changed("orders/brokers")
    assert [len(stored_files(each, "orders", "topics")) for each in settled] == [2, 2]
    assert [len(stored_files(each, "orders", "brokers")) for each in settled] == [1, 1]
    assert len(stored_files(lake.storage, "orders", "topics")) == 2


def test_all_logs_in_a_folder_are_looked_up_by_one_request(lake: WrittenLake, s3: S3Server) -> None:
    lake.change("topics", FIRST, "keyframe", FIRST, topic="a")
    lake.change("brokers", FIRST, "keyframe", FIRST, broker_id=1)
    stored_files(lake.storage, "orders", "topics")
    stored_files(lake.storage, "orders", "brokers")
    before = s3.requests()
    settled = open_storage(lake.root).settled("orders")
    found = [len(stored_files(settled, "orders", name)) for name in ("topics", "brokers", "acls")]
    assert found == [1, 1, 0]
    assert s3.requests() - before == 1


def test_a_table_that_was_changed_through_settled_files_is_looked_up_anew(lake: WrittenLake) -> None:
    for minute in range(8):
        lake.change("topics", f"20261121T00{minute:02}00Z", "keyframe", FIRST, topic=f"t{minute}")
    settled = lake.storage.settled("orders")
    assert len(stored_files(settled, "orders", "topics")) == 8
    tidy(settled, "orders", "topics")
    assert len(stored_files(settled, "orders", "topics")) == 1


def test_a_log_that_was_written_anew_under_the_same_names_is_read_anew(two_snapshots: Any) -> None:
    topics(two_snapshots)
    two_snapshots.storage.delete_folder("orders")
    two_snapshots.change("topics", FIRST, "keyframe", FIRST, topic="x", partitions=1)
    two_snapshots.commit(FIRST)
    assert topics(two_snapshots) == [("x", 1)]


def test_a_copy_that_is_cut_short_is_fetched_again(two_snapshots: Any, copies: Path) -> None:
    topics(two_snapshots)
    for path in _files(copies):
        path.write_bytes(path.read_bytes()[:10])
    assert topics(two_snapshots) == [("a", 1), ("b", 2), ("d", 4)]


def test_a_file_of_another_size_than_the_log_says_is_refused(two_snapshots: Any) -> None:
    (first, *_) = stored_files(two_snapshots.storage, "orders", "topics")
    two_snapshots.storage.write(first.path, b"something else")
    with pytest.raises(VarveError, match=r"has 14 bytes, and the table's log says \d+"):
        topics(two_snapshots)


def test_copies_that_nobody_used_for_long_go_and_the_longest_unused_are_the_first_when_there_are_too_many(
    s3: S3Server, copies: Path
) -> None:
    place = s3.place()
    few = Bucket(place.url, place.endpoint, None, place.access_key, place.secret_key, 250e-9, cache_days=1)
    for name in "abcde":
        open_storage(few).write(name, b"0" * 100)
        open_storage(few).fetch({name: 100})
    for hours, name in [(0, "a"), (2, "b"), (3, "c"), (4, "d"), (30, "e")]:
        _unused_for(Path(open_storage(few).here(name)), hours)
    _unused_for(copies / ".swept", hours=2)
    open_storage(few).write("new", b"")
    open_storage(few).fetch({"new": 0})
    assert sorted(path.name for path in _files(copies)) == [".swept", "a", "b", "new"]


def test_upkeep_merges_small_files(lake: WrittenLake) -> None:
    for minute in range(8):
        lake.change("topics", f"20261121T00{minute:02}00Z", "keyframe", FIRST, topic=f"t{minute}")
    lake.commit(FIRST)
    with only_writer(lake.storage, "orders"):
        tidied = tidy(lake.storage, "orders", "topics")
    assert tidied
    assert (tidied.files_before, tidied.files) == (8, 1)


def test_upkeep_finds_a_log_that_is_summed_up_already(lake: WrittenLake) -> None:
    lake.change("topics", FIRST, "keyframe", FIRST, topic="a")
    lake.commit(FIRST)
    with only_writer(lake.storage, "orders"):
        assert [sweep(lake.storage, "orders", "topics") for _ in range(2)] == [0, 0]
    entries = [path.rpartition("/")[2] for path in lake.storage.list("orders/topics/_delta_log")]
    newest = max(path for path in entries if path.endswith(".json")).removesuffix(".json")
    assert {f"{newest}.checkpoint.parquet", "_last_checkpoint"} <= set(entries)
    assert len(stored_files(lake.storage, "orders", "topics")) == 1


def test_upkeep_gives_way_to_another_process_that_wrote_meanwhile(lake: WrittenLake) -> None:
    for minute in range(8):
        lake.change("topics", f"20261121T00{minute:02}00Z", "keyframe", FIRST, topic=f"t{minute}")
    files = stored_files(lake.storage, "orders", "topics")
    working_copy = changed_here(lake.storage, "orders", "topics", files)
    working_copy.__enter__().optimize.compact()
    WrittenLake(lake.root).change("topics", SECOND, "create", FIRST, topic="b")
    with pytest.raises(SnapshotRefusedError, match=r"8\.json was written by another process meanwhile"):
        working_copy.__exit__(None, None, None)
    assert len(stored_files(lake.storage, "orders", "topics")) == 9


def test_of_several_that_append_to_one_log_none_is_lost(lake: WrittenLake) -> None:
    lake.change("topics", FIRST, "keyframe", FIRST, topic="a")
    writers = [WrittenLake(lake.root) for _ in range(8)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda each: each.change("topics", SECOND, "create", FIRST, topic="b"), writers))
    assert len(stored_files(lake.storage, "orders", "topics")) == 9


def _files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def _unused_for(path: Path, hours: int) -> None:
    os.utime(path, (time.time() - hours * 3600,) * 2)
