"""The power goes at every step of what lands, is sealed, discarded and cleared."""

from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest

from jobs.lake.layout import landing_folder
from jobs.landing.clear import clear_landed
from jobs.landing.collect import Part, land
from jobs.landing.landing import Landing
from jobs.landing.manifest import read_manifest
from jobs.landing.order import abandon, begin_again, landed_snapshots
from jobs.landing.seal import discard_landed, landed_manifests, read_seal, seal
from jobs.landing.seals import list_seals
from jobs.settings import Settings, load_settings
from jobs.storage import open_storage
from schemas.registry import tables
from tests.jobs.failpoints import Failpoints, at

FIRST, SECOND, THIRD = "20261121T140000Z", "20261121T141000Z", "20261121T142000Z"
SOURCES = ("log_dirs", "zookeeper")


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    cluster = "{name: orders, zookeeper: {connect: '127.0.0.1:1'}, log_dirs: [{broker: 1, local: [/d0]}]}"
    (tmp_path / "varve.yaml").write_text(f"lake: ./lake\nclusters: [{cluster}]\n")
    return load_settings(tmp_path / "varve.yaml")


@pytest.fixture
def failpoints(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Failpoints:
    return Failpoints(settings.lake, monkeypatch)


@pytest.fixture
def collect(settings: Settings) -> Callable[[str], None]:
    """Land a snapshot of both sources, of log dirs in two tables."""

    def read_log_dirs(landing: Landing) -> None:
        landing.rows("log_dirs", [_row("log_dirs", broker_id=1, path="/d0", cluster_id="c")])
        landing.rows("log_dir_space", [_row("log_dir_space", broker_id=1, path="/d0")])

    def read_zookeeper(landing: Landing) -> None:
        landing.table("znodes", pa.table({"path": ["/"]}))

    def land_both(snapshot_id: str) -> None:
        land(settings, Part("orders", "log_dirs", snapshot_id), read_log_dirs)
        land(settings, Part("orders", "zookeeper", snapshot_id), read_zookeeper)

    return land_both


def test_what_was_cut_off_while_it_landed_lands_whole_when_it_is_collected_again(
    settings: Settings, failpoints: Failpoints, collect: Callable[[str], None]
) -> None:
    steps = 0
    for _ in failpoints.sweep(lambda: collect(FIRST)):
        assert _lost(settings) == []
        steps += 1
    assert steps >= 10
    landed = landed_manifests(open_storage(settings.lake), "orders", FIRST, SOURCES)
    assert [sum(each.rows.values()) for each in landed] == [2, 1]
    assert _lost(settings) == []


def test_a_seal_that_was_cut_off_is_there_or_not_and_names_the_same_when_it_is_made_again(
    settings: Settings, failpoints: Failpoints, collect: Callable[[str], None]
) -> None:
    collect(FIRST)
    storage = open_storage(settings.lake)

    def seal_it() -> None:
        seal(storage, "orders", FIRST, landed_manifests(storage, "orders", FIRST, SOURCES), SOURCES)

    for _ in failpoints.sweep(seal_it):
        assert list_seals(storage, "orders").unfinished(()) in ([], [FIRST])
    assert read_seal(storage, "orders", FIRST, SOURCES).missing == ()


def test_an_attempt_that_was_cut_off_while_it_was_counted_never_shares_its_number(
    settings: Settings, failpoints: Failpoints
) -> None:
    storage = open_storage(settings.lake)
    stamps: list[str] = []
    for steps in range(9):
        failpoints.run(lambda: stamps.append(begin_again(storage, "orders", FIRST)), at(steps))
        stamps.append(begin_again(storage, "orders", FIRST))
    assert len(set(stamps)) == len(stamps) >= 9


def test_what_is_discarded_and_cut_off_lands_whole_when_it_is_collected_again(
    settings: Settings, failpoints: Failpoints, collect: Callable[[str], None]
) -> None:
    storage = open_storage(settings.lake)
    collect(FIRST)
    landed = landed_manifests(storage, "orders", FIRST, SOURCES)
    for _ in failpoints.sweep(lambda: discard_landed(storage, landed)):
        assert _lost(settings) == []
        collect(FIRST)
        assert _lost(settings) == []
    assert landed_snapshots(storage, "orders", SOURCES) == []


def test_clearing_that_was_cut_off_leaves_no_snapshot_that_seems_begun(
    settings: Settings, failpoints: Failpoints, collect: Callable[[str], None]
) -> None:
    storage = open_storage(settings.lake)
    for snapshot_id in (FIRST, SECOND, THIRD):
        collect(snapshot_id)
        seal(
            storage, "orders", snapshot_id, landed_manifests(storage, "orders", snapshot_id, SOURCES), SOURCES
        )
        begin_again(storage, "orders", snapshot_id)
    abandon(storage, "orders", FIRST)
    for _ in failpoints.sweep(lambda: clear_landed(storage, "orders", THIRD)):
        assert list_seals(storage, "orders").unfinished((SECOND, THIRD)) == []
    assert {path for path in storage.list("") if FIRST in path or SECOND in path} == set()
    assert _lost(settings) == []


def _lost(settings: Settings) -> list[str]:
    """The files that a manifest names and that are not there."""
    storage = open_storage(settings.lake)
    manifests = [
        manifest
        for snapshot_id in landed_snapshots(storage, "orders", SOURCES)
        for source in SOURCES
        if (manifest := read_manifest(storage, "orders", source, snapshot_id))
    ]
    named = [
        f"{landing_folder('orders', each.source, each.snapshot_id)}/{file}"
        for each in manifests
        for files in each.files.values()
        for file in files
    ]
    return [path for path in named if not storage.exists(path)]


def _row(table: str, **columns: object) -> tuple[object, ...]:
    return tuple(columns.get(column.name) for column in tables()[table].columns)
