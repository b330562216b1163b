"""The power goes at every step of upkeep: nothing that is kept goes, and the next upkeep does the rest."""

import shutil
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from jobs.lake.files import stored_files
from jobs.lake.read import open_reader
from jobs.lake.snapshot_id import logical_time
from jobs.landing.seal import seal
from jobs.settings import Settings, load_settings
from jobs.upkeep.maintain import maintain
from tests.jobs.failpoints import Failpoints, at

DAYS = [f"202611{day:02}T000000Z" for day in range(1, 7)]
NOW = datetime(2026, 11, 6, 12, tzinfo=UTC)
KEPT = (
    "SELECT (SELECT list(partitions) FROM topics), "
    "(SELECT list((partitions, valid_from) ORDER BY valid_from) FROM topics_history WHERE valid_from > '2026-11-04 12:00Z'), "
    f"(SELECT list(subject ORDER BY subject) FROM events WHERE snapshot_id >= '{DAYS[4]}'), "
    "(SELECT list(captured_at ORDER BY captured_at) FROM quorum_progress WHERE captured_at >= '2026-11-03 00:00Z'), "
    "(SELECT list(snapshot_id ORDER BY snapshot_id) FROM snapshots)"
)
FILES_AFTER = {"topics": 1, "events": 1, "quorum_progress": 4, "snapshots": 1}
"""Of topics the era that was open a day ago; of the series each day for itself."""


@pytest.fixture
def settings(lake: Any) -> Settings:
    config = lake.root.with_name("varve.yaml")
    cluster = "{name: orders, zookeeper: {connect: '127.0.0.1:1'}}"
    config.write_text(f"lake: ./lake\nhistory: {{keep_days: 1, series_days: 3}}\nclusters: [{cluster}]\n")
    return load_settings(config)


def test_upkeep_that_was_cut_off_took_nothing_that_is_kept_and_the_next_does_the_rest(
    lake: Any, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    _write(lake)
    kept = _ask(lake, KEPT)
    untouched = shutil.copytree(lake.root, lake.root.with_name("untouched"))
    failpoints = Failpoints(lake.root, monkeypatch)

    def keep_up() -> None:
        list(maintain(settings, "orders", NOW))

    cut_at = []
    while not failpoints.run(keep_up, at(len(cut_at))):
        cut_at.append(failpoints.reached[-1].partition(" ")[0])
        assert _ask(lake, KEPT) == kept, cut_at[-1]
        keep_up()
        _is_kept_up(lake, kept)
        _restore(lake.root, untouched)
    _is_kept_up(lake, kept)
    assert cut_at.count("DeltaTable.delete") == 4
    assert {
        "os.remove",
        "TableOptimizer.compact",
        "DeltaTable.create_checkpoint",
        "DeltaTable.vacuum",
    } <= set(cut_at)


def _write(lake: Any) -> None:
    """Topic a gains a partition a day, each day has an event and a row of a series; the 3rd and the 4th open an era."""
    era = DAYS[0]
    for number, snapshot_id in enumerate(DAYS, 1):
        lake.change(
            "topics", snapshot_id, "update" if number > 1 else "keyframe", era, topic="a", partitions=number
        )
        if number in (3, 4):
            era = snapshot_id
            lake.change("topics", snapshot_id, "keyframe", era, topic="a", partitions=number)
        lake.happened("partitions-added", f"a-{number:02}", DAYS[0], snapshot_id)
        at = logical_time(snapshot_id)
        stamp = {"snapshot_id": snapshot_id, "written_by": snapshot_id}
        lake.append("quorum_progress", [{"node_id": 1, "captured_at": at, "day": at.date(), **stamp}])
        lake.commit(snapshot_id, written_by=snapshot_id)
    for snapshot_id in DAYS[-2:]:
        seal(lake.storage, "orders", snapshot_id, [], ["zookeeper"])


def _restore(lake: Path, untouched: Path) -> None:
    shutil.rmtree(lake)
    shutil.copytree(untouched, lake)


def _is_kept_up(lake: Any, kept: list[tuple[Any, ...]]) -> None:
    assert _ask(lake, KEPT) == kept
    files = {table: len(stored_files(lake.storage, "orders", table)) for table in FILES_AFTER}
    assert files == FILES_AFTER


def _ask(lake: Any, sql: str) -> list[tuple[Any, ...]]:
    return open_reader(lake.storage, ["orders"]).query(sql).rows
