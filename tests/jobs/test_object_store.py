"""What an object store can do wrong, and how long a lease of it holds."""

import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest

from jobs.errors import SettingsError, VarveError
from jobs.landing.order import only_writer
from jobs.storage import Bucket, Storage, open_storage
from jobs.storage.trial import try_out
from tests.s3_server import S3Server

LOCK = "writer.lock"


@pytest.fixture
def place(s3: S3Server) -> Bucket:
    return s3.place()


@pytest.fixture
def storage(place: Bucket) -> Storage:
    return open_storage(place)


@pytest.fixture
def short_leases(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jobs.storage.lease.SECONDS", 2.0)


def test_a_folder_is_opened_without_the_library_of_object_stores() -> None:
    opens = (
        "import sys; from pathlib import Path; import jobs.lake.read; from jobs.storage import open_storage; "
        "open_storage(Path('/nowhere')).read('a'); print('obstore' in sys.modules)"
    )
    told = subprocess.run([sys.executable, "-c", opens], capture_output=True, text=True, check=True)
    assert told.stdout == "False\n"


@pytest.mark.parametrize("ask", ["read", "list", "create", "exists", "delete", "lock"])
def test_a_bucket_that_is_not_there_is_said_and_never_taken_for_an_empty_one(s3: S3Server, ask: str) -> None:
    storage: Any = open_storage(s3.named("s3://no-such-bucket/lake"))
    asked = {
        "read": lambda: storage.read("a"),
        "list": lambda: list(storage.list("a")),
        "create": lambda: storage.create("a", b""),
        "exists": lambda: storage.exists("a"),
        "delete": lambda: storage.delete("a"),
        "lock": lambda: storage.lock(LOCK).__enter__(),
    }
    with pytest.raises(
        VarveError, match=r"s3://no-such-bucket/lake.*: there is no such bucket: compare the name in"
    ):
        asked[ask]()


@pytest.mark.parametrize("endpoint", ["http://127.0.0.1:1", "http://nowhere.invalid:9000"])
def test_a_store_that_does_not_answer_is_said_within_seconds(place: Bucket, endpoint: str) -> None:
    storage = open_storage(replace(place, endpoint=endpoint))
    started = time.monotonic()
    with pytest.raises(VarveError, match=r"does not answer: compare storage\.endpoint") as told:
        storage.read("a")
    assert time.monotonic() - started < 10
    assert "secret" not in str(told.value)


def test_a_secret_that_is_not_set_is_named(place: Bucket) -> None:
    with pytest.raises(SettingsError, match="The environment variable NOT_SET is not set"):
        open_storage(replace(place, secret_key="${NOT_SET}"))


def test_a_store_that_holds_a_lake_can_be_listed_and_written(place: Bucket) -> None:
    assert try_out(place).startswith(
        f"{place} can be listed and written, once only where asked so; the clock is "
    )
    assert list(open_storage(place).list("")) == []


def test_a_store_that_overwrites_what_is_to_be_written_only_if_absent_is_refused(
    storage: Storage, place: Bucket, monkeypatch: pytest.MonkeyPatch
) -> None:
    def overwrite(store: Any, path: str, content: bytes) -> bool:
        store.write(path, content)
        return True

    monkeypatch.setattr("jobs.storage.object_store.ObjectStorage.create", overwrite)
    with pytest.raises(VarveError, match="so it cannot hold a lake"):
        try_out(place)
    with pytest.raises(VarveError, match="so it cannot hold a lake"), only_writer(storage, "orders"):
        pass


def test_of_many_that_want_a_lease_one_has_it(place: Bucket) -> None:
    with ThreadPoolExecutor(16) as pool:
        locks = list(pool.map(lambda _: open_storage(place).lock(LOCK), range(16)))
        had = list(pool.map(lambda lock: lock.__enter__(), locks))
        list(pool.map(lambda lock: lock.__exit__(None, None, None), locks))
    assert had.count(True) == 1


@pytest.mark.usefixtures("short_leases")
def test_a_lease_is_renewed_as_long_as_its_holder_lives(storage: Storage, place: Bucket) -> None:
    with storage.lock(LOCK):
        until = time.monotonic() + 5
        while time.monotonic() < until:
            with open_storage(place).lock(LOCK) as other:
                assert not other
            storage.check_locks()
            time.sleep(0.2)


HOLDS = """
import jobs.storage.lease
from jobs.storage import Bucket, open_storage
jobs.storage.lease.SECONDS = 2.0
storage = open_storage({place!r})
with storage.lock({lock!r}) as held:
    print(held, flush=True)
    input()
    storage.check_locks()
"""


def test_who_was_paused_and_lost_the_lease_stops_before_its_next_append_and_ends_nobody_elses(
    place: Bucket,
) -> None:
    code = HOLDS.format(place=place, lock=LOCK)
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", code], text=True, **pipes) as holder:
        assert holder.stdout.readline() == "True\n"
        holder.send_signal(signal.SIGSTOP)
        next_one = _lock_as_soon_as_it_is_free(place)
        holder.send_signal(signal.SIGCONT)
        _, told = holder.communicate("\n", timeout=30)
        assert "SnapshotRefusedError: The lease" in told
        assert "was lost, and another process may write there now" in told
    with open_storage(place).lock(LOCK) as third:
        assert not third
    next_one.__exit__(None, None, None)
    with open_storage(place).lock(LOCK) as fourth:
        assert fourth


def _lock_as_soon_as_it_is_free(place: Bucket) -> Any:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        lock = open_storage(place).lock(LOCK)
        if lock.__enter__():
            return lock
        lock.__exit__(None, None, None)
        time.sleep(0.2)
    return pytest.fail("the lease never ended")
