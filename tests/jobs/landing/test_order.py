"""Which snapshots of a cluster wait, go on, or were given up."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from jobs.errors import SnapshotRefusedError
from jobs.lake.layout import abandoned_path, expectations_due_path, landing_folder, manifest_path, seal_path
from jobs.landing.manifest import Manifest, captured_at, write_manifest
from jobs.landing.order import (
    abandon,
    begin_again,
    check_is_later,
    check_is_newest,
    landed_snapshots,
    missed,
    only_writer,
)
from jobs.landing.seals import list_seals
from jobs.storage import Storage, open_storage
from schemas.snapshots import SourceStatus

FIRST, SECOND, THIRD = "20261121T140000Z", "20261121T141000Z", "20261121T142000Z"


@pytest.fixture
def storage(tmp_path: Path) -> Storage:
    return open_storage(tmp_path / "lake")


@pytest.fixture
def sealed(storage: Storage) -> Storage:
    """Three snapshots are sealed; one more file beside them is no seal."""
    for snapshot_id in (THIRD, FIRST, SECOND):
        storage.create(seal_path("orders", snapshot_id), b"{}")
    storage.create(expectations_due_path("orders", SECOND), b"")
    return storage


def test_what_is_sealed_and_not_committed_is_unfinished_oldest_first(sealed: Storage) -> None:
    assert list_seals(sealed, "orders").unfinished({FIRST}) == [SECOND, THIRD]
    assert list_seals(sealed, "billing").unfinished(set()) == []


def test_what_was_given_up_is_not_unfinished_and_cannot_be_run_again(sealed: Storage) -> None:
    abandon(sealed, "orders", SECOND)
    abandon(sealed, "orders", SECOND)
    assert list_seals(sealed, "orders").given_up == {SECOND}
    assert list_seals(sealed, "orders").unfinished({FIRST}) == [THIRD]
    list_seals(sealed, "orders").check_is_not_given_up(THIRD)
    with pytest.raises(SnapshotRefusedError) as refused:
        list_seals(sealed, "orders").check_is_not_given_up(SECOND)
    assert str(refused.value) == f"Snapshot {SECOND} of orders was given up: take a new one"


def test_what_was_never_begun_cannot_be_given_up(storage: Storage) -> None:
    with pytest.raises(SnapshotRefusedError, match="was never begun: there is nothing to give up"):
        abandon(storage, "orders", FIRST)
    assert list_seals(storage, "orders").given_up == set()


def test_a_snapshot_landed_when_one_of_its_sources_has_a_manifest(storage: Storage) -> None:
    storage.write(manifest_path("orders", "zookeeper", SECOND), b"{}")
    storage.write(manifest_path("orders", "kafka", SECOND), b"{}")
    storage.write(manifest_path("orders", "kafka", FIRST), b"{}")
    storage.write(f"{landing_folder('orders', 'kafka', THIRD)}/quorum-0.parquet", b"")
    assert landed_snapshots(storage, "orders", ["zookeeper", "kafka"]) == [FIRST, SECOND]
    assert landed_snapshots(storage, "orders", ["zookeeper"]) == [SECOND]


def test_what_landed_whole_and_was_never_begun_waits_for_the_next(storage: Storage) -> None:
    for source, snapshot_id in ((one, each) for one in ("kafka", "log_dirs") for each in (FIRST, SECOND)):
        write_manifest(storage, replace(manifest(0), source=source, snapshot_id=snapshot_id))
    sources = ["kafka", "log_dirs"]
    assert missed(storage, "orders", sources, None, THIRD) == [FIRST, SECOND]
    assert missed(storage, "orders", sources, FIRST, THIRD) == [SECOND]
    assert missed(storage, "orders", sources, None, SECOND) == [FIRST]
    assert missed(storage, "orders", [*sources, "zookeeper"], None, THIRD) == []
    storage.create(abandoned_path("orders", FIRST), b"")
    assert missed(storage, "orders", sources, None, THIRD) == [SECOND]


def test_of_what_landed_nothing_waits_where_no_source_could_be_read(storage: Storage) -> None:
    write_manifest(storage, replace(manifest(0, SourceStatus.FAILED), snapshot_id=FIRST))
    assert missed(storage, "orders", ["kafka"], None, THIRD) == []


def test_history_is_written_in_order() -> None:
    check_is_newest("orders", SECOND, None)
    check_is_newest("orders", SECOND, SECOND)
    with pytest.raises(
        SnapshotRefusedError, match=f"{FIRST} of orders is older than {SECOND}, the newest one that was begun"
    ):
        check_is_newest("orders", FIRST, SECOND)


def test_each_attempt_at_a_snapshot_has_a_name_of_its_own(sealed: Storage) -> None:
    assert [begin_again(sealed, "orders", FIRST) for _ in range(3)] == [
        f"{FIRST}.2",
        f"{FIRST}.3",
        f"{FIRST}.4",
    ]
    assert begin_again(sealed, "orders", SECOND) == f"{SECOND}.2"
    assert list_seals(sealed, "orders").unfinished(set()) == [FIRST, SECOND, THIRD]


def manifest(minute: int, status: SourceStatus = SourceStatus.COMPLETE) -> Manifest:
    at = datetime(2026, 11, 21, 14, minute, tzinfo=UTC)
    return Manifest("orders", "kafka", THIRD, status, at, at, {}, {}, (), "0.1.0")


def test_a_snapshot_stands_for_the_time_its_last_source_was_read() -> None:
    assert captured_at([manifest(20), manifest(21)]).minute == 21
    assert captured_at([manifest(20), manifest(22, SourceStatus.FAILED)]).minute == 20
    assert captured_at([manifest(22, SourceStatus.FAILED), manifest(21, SourceStatus.FAILED)]).minute == 22


def test_a_snapshot_is_captured_after_those_before_it() -> None:
    newest = (datetime(2026, 11, 21, 14, 20, tzinfo=UTC), SECOND)
    check_is_later([manifest(0)], None)
    check_is_later([manifest(21), manifest(0)], newest)
    with pytest.raises(SnapshotRefusedError) as refused:
        check_is_later([manifest(20), manifest(22, SourceStatus.FAILED)], newest)
    assert str(refused.value) == (
        f"What landed for snapshot {THIRD} of orders was read at 2026-11-21 14:20:00Z, but snapshot {SECOND} was read at "
        "2026-11-21 14:20:00Z, and history is written in order: what landed was discarded. Take a new snapshot, and "
        "compare the clocks of the hosts that collect if it is refused, too"
    )


def test_a_cluster_has_one_writer_and_another_cluster_its_own(storage: Storage) -> None:
    with only_writer(storage, "orders"), only_writer(storage, "billing"):
        with pytest.raises(SnapshotRefusedError) as refused, only_writer(storage, "orders"):
            pytest.fail("two writers")
        lock = storage.location("_landing/orders/writer.lock")
        assert str(refused.value) == (
            f"Another process is writing the lake of orders ({lock}): wait for it to end and call again"
        )
