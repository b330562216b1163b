"""A snapshot is made of what had landed when it was sealed, whatever lands later and however often it is run."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from jobs.errors import SnapshotRefusedError
from jobs.lake.layout import landing_folder
from jobs.landing.manifest import Manifest, write_manifest
from jobs.landing.seal import discard_landed, is_sealed, landed_manifests, read_seal, seal
from jobs.storage import Storage, open_storage
from schemas.snapshots import Gap, GapReason, SourceStatus

SNAPSHOT = "20261121T140000Z"
AT = datetime(2026, 11, 21, 14, 0, 5, tzinfo=UTC)
SOURCES = ["zookeeper", "kafka", "log_dirs"]


@pytest.fixture
def storage(tmp_path: Path) -> Storage:
    return open_storage(tmp_path / "lake")


def land(storage: Storage, source: str) -> Manifest:
    gap = Gap("/config/users", GapReason.UNAUTHORIZED, "no READ right")
    manifest = Manifest(
        "orders",
        source,
        SNAPSHOT,
        SourceStatus.PARTIAL,
        AT,
        AT,
        {"znodes": 0},
        {"znodes": []},
        (gap,),
        "0.1.0",
    )
    storage.write(f"{landing_folder('orders', source, SNAPSHOT)}/a.parquet", b"rows")
    write_manifest(storage, manifest)
    return manifest


def test_a_seal_names_what_landed_and_what_is_missing(storage: Storage) -> None:
    landed = [land(storage, "zookeeper"), land(storage, "log_dirs")]
    assert landed_manifests(storage, "orders", SNAPSHOT, SOURCES) == landed
    seal(storage, "orders", SNAPSHOT, landed, SOURCES)
    sealed = read_seal(storage, "orders", SNAPSHOT, SOURCES)
    assert sealed.manifests == tuple(landed)
    assert (sealed.missing, sealed.late) == (("kafka",), ())


def test_what_lands_after_the_seal_is_late_also_when_it_is_sealed_again(storage: Storage) -> None:
    early = land(storage, "zookeeper")
    assert not is_sealed(storage, "orders", SNAPSHOT)
    seal(storage, "orders", SNAPSHOT, [early], SOURCES)
    assert is_sealed(storage, "orders", SNAPSHOT)
    late = land(storage, "kafka")
    seal(storage, "orders", SNAPSHOT, [early, late], SOURCES)
    sealed = read_seal(storage, "orders", SNAPSHOT, SOURCES)
    assert sealed.manifests == (early,)
    assert (sealed.missing, sealed.late) == (("kafka", "log_dirs"), ("kafka",))


def test_a_source_without_a_manifest_did_not_land(storage: Storage) -> None:
    storage.write(f"{landing_folder('orders', 'zookeeper', SNAPSHOT)}/znodes-0.parquet", b"rows")
    with pytest.raises(SnapshotRefusedError) as refused:
        landed_manifests(storage, "orders", SNAPSHOT, SOURCES)
    assert str(refused.value) == (
        f"Nothing has landed for snapshot {SNAPSHOT} of orders: run `varve collect orders SOURCE` first"
    )


def test_a_snapshot_of_which_a_part_is_gone_cannot_be_finished(storage: Storage) -> None:
    landed = [land(storage, "zookeeper"), land(storage, "kafka")]
    seal(storage, "orders", SNAPSHOT, landed, SOURCES)
    discard_landed(storage, landed[1:])
    with pytest.raises(SnapshotRefusedError) as refused:
        read_seal(storage, "orders", SNAPSHOT, SOURCES)
    assert str(refused.value) == (
        f"Snapshot {SNAPSHOT} of orders cannot be finished, what kafka landed is gone: "
        f"give it up with `varve snapshot orders --abandon {SNAPSHOT}`"
    )


def test_what_landed_is_discarded_whole_and_can_land_again(storage: Storage) -> None:
    discarded, kept = land(storage, "zookeeper"), land(storage, "kafka")
    discard_landed(storage, [discarded])
    assert list(storage.list(landing_folder("orders", "zookeeper", SNAPSHOT))) == []
    assert landed_manifests(storage, "orders", SNAPSHOT, SOURCES) == [kept]
    again = land(storage, "zookeeper")
    assert landed_manifests(storage, "orders", SNAPSHOT, SOURCES) == [again, kept]
