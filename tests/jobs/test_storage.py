"""What everything that reads or writes a lake relies on, whatever the lake lies on."""

import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from jobs.storage import Location, Storage, open_storage

KINDS = ("a folder", "S3")


@pytest.fixture(params=KINDS)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Location:
    """Where no file is yet."""
    if request.param == "a folder":
        return tmp_path / "lake"
    found: Location = request.getfixturevalue("s3").place()
    return found


@pytest.fixture
def storage(place: Location) -> Storage:
    return open_storage(place)


def test_a_file_is_read_as_it_was_last_written(storage: Storage) -> None:
    storage.write("orders/a.json", b"one")
    storage.write("orders/a.json", b"two")
    assert storage.read("orders/a.json") == b"two"


def test_a_file_that_is_not_there_is_nothing(storage: Storage) -> None:
    storage.write("orders/a.json", b"one")
    assert storage.read("orders/b.json") is None
    assert storage.read("billing/a.json") is None
    assert not storage.exists("orders/b.json")
    assert not storage.exists("orders")
    assert storage.exists("orders/a.json")


def test_a_write_that_fails_leaves_the_file_before_and_nothing_else(storage: Storage) -> None:
    storage.write("orders/a.json", b"one")
    no_bytes: Any = "two"
    with pytest.raises(TypeError):
        storage.write("orders/a.json", no_bytes)
    assert storage.read("orders/a.json") == b"one"
    assert list(storage.list("orders")) == ["orders/a.json"]


def test_what_is_being_written_is_not_listed(tmp_path: Path) -> None:
    storage = open_storage(tmp_path / "lake")
    storage.write("orders/a.json", b"one")
    (tmp_path / "lake/orders/.unfinished-0123").write_bytes(b"tw")
    assert list(storage.list("orders")) == ["orders/a.json"]


def test_of_several_that_create_a_file_one_does_and_its_content_stays(storage: Storage) -> None:
    for turn in range(20):
        path = f"orders/{turn}.json"
        with ThreadPoolExecutor(16) as pool:
            created = list(pool.map(lambda n, path=path: storage.create(path, bytes([n])), range(16)))
        assert created.count(True) == 1
        assert storage.read(path) == bytes([created.index(True)])
    assert len(list(storage.list("orders"))) == 20


def test_a_folder_lists_its_files_at_any_depth_and_those_of_no_other(storage: Storage) -> None:
    for path in ("orders/a.json", "orders/b/c/d.json", "orders-eu/e.json"):
        storage.write(path, b"")
    assert sorted(storage.list("orders")) == ["orders/a.json", "orders/b/c/d.json"]
    assert list(storage.list("billing")) == []


def test_files_that_were_written_before_an_instant_are_listed(storage: Storage) -> None:
    storage.write("orders/a.json", b"")
    now, an_hour = datetime.now(UTC), timedelta(hours=1)
    assert list(storage.list("orders", before=now + an_hour)) == ["orders/a.json"]
    assert list(storage.list("orders", before=now - an_hour)) == []


def test_files_and_folders_are_deleted_and_what_is_not_there_is_no_error(storage: Storage) -> None:
    for path in ("orders/a.json", "orders/b/c.json", "orders/b/d.json"):
        storage.write(path, b"")
    storage.delete_folder("orders/b")
    storage.delete_folder("orders/b")
    assert list(storage.list("orders")) == ["orders/a.json"]
    storage.delete("orders/a.json")
    storage.delete("orders/a.json")
    assert list(storage.list("orders")) == []


def test_a_lock_is_held_once_and_can_be_had_again_when_it_was_left(storage: Storage) -> None:
    with storage.lock("orders/writer.lock") as first, storage.lock("orders/writer.lock") as second:
        assert (first, second) == (True, False)
    with storage.lock("orders/writer.lock") as again, storage.lock("billing/writer.lock") as other:
        assert (again, other) == (True, True)


HOLDS = """
import sys
from pathlib import Path
from jobs.storage import Bucket, open_storage
import jobs.storage.lease as lease
lease.SECONDS = 3
with open_storage({place!r}).lock("writer.lock") as held:
    print(held, flush=True)
    input()
"""


@pytest.fixture
def holder(place: Location) -> Iterator["subprocess.Popen[str]"]:
    """Another process that holds the lock until it is killed."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLDS.replace("{place!r}", repr(place).replace("PosixPath", "Path"))],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        yield process
        process.kill()


def test_a_lock_ends_with_its_holder(storage: Storage, holder: "subprocess.Popen[str]") -> None:
    assert holder.stdout is not None
    assert holder.stdout.readline() == "True\n"
    assert not _can_be_had(storage)
    holder.kill()
    holder.wait()
    deadline = time.monotonic() + 30
    while not _can_be_had(storage):
        assert time.monotonic() < deadline
        time.sleep(0.2)


def _can_be_had(storage: Storage) -> bool:
    with storage.lock("writer.lock") as held:
        return held


def test_a_file_that_never_changes_is_read_on_this_machine(storage: Storage) -> None:
    storage.write("orders/a.parquet", b"one")
    storage.write("orders/b.parquet", b"three")
    storage.fetch({"orders/a.parquet": 3, "orders/b.parquet": 5})
    here = [Path(storage.here(f"orders/{name}.parquet")).read_bytes() for name in "ab"]
    assert here == [b"one", b"three"]


def test_what_a_cut_off_write_left_goes_and_what_is_whole_stays(storage: Storage) -> None:
    storage.write("orders/_delta_log/0.json", b"one")
    storage.clear_unfinished("orders/_delta_log")
    storage.clear_unfinished("billing/_delta_log")
    assert list(storage.list("")) == ["orders/_delta_log/0.json"]


def test_a_file_that_a_cut_off_write_did_not_finish_goes(tmp_path: Path) -> None:
    log = tmp_path / "lake/orders/_delta_log"
    log.mkdir(parents=True)
    (log / ".0.json.0123.tmp").write_bytes(b"o")
    (log / "0.json").write_bytes(b"one")
    open_storage(tmp_path / "lake").clear_unfinished("orders/_delta_log")
    assert [path.name for path in log.iterdir()] == ["0.json"]


def test_the_files_of_a_folder_can_be_reached_as_a_storage_of_their_own(storage: Storage) -> None:
    storage.inside("orders/b").write("c.json", b"one")
    assert storage.read("orders/b/c.json") == b"one"
    assert list(storage.inside("orders").list("b")) == ["b/c.json"]
