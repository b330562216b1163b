"""`varve maintain`: says what goes, and does it."""

from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

Varve = Callable[..., Any]
IDS = [f"20261121T00{minute:02}00Z" for minute in range(12)]


@pytest.fixture
def grown(lake: Any, config: Path) -> Any:
    """A topic that changed with every snapshot, and a series of which only the last day is kept."""
    config.write_text(config.read_text() + "history: {keep_days: 1, series_days: 1}\n")
    for number, snapshot_id in enumerate(IDS):
        lake.change(
            "topics", snapshot_id, "update" if number else "keyframe", IDS[0], topic="a", partitions=number
        )
        lake.commit(snapshot_id, written_by=snapshot_id)
    lake.append(
        "quorum_progress",
        [
            {
                "node_id": 1,
                "captured_at": datetime(2020, 1, 1, tzinfo=UTC),
                "day": date(2020, 1, 1),
                "snapshot_id": IDS[0],
            }
        ],
    )
    return lake


def test_a_dry_run_says_what_would_go_and_changes_nothing(grown: Any, varve: Varve) -> None:
    before = sorted(path for path in grown.root.rglob("*") if path.is_file())
    ended = varve("maintain", "orders", "--dry-run")
    assert ended.code == 0
    assert "orders: quorum_progress, day 2020-01-01 would go (1 files, " in ended.out
    assert sorted(path for path in grown.root.rglob("*") if path.is_file()) == before


@pytest.mark.usefixtures("grown")
def test_the_tables_are_merged_and_what_is_not_kept_goes(varve: Varve) -> None:
    ended = varve("maintain")
    assert ended.code == 0, ended.err
    assert "orders: quorum_progress, day 2020-01-01 went\n" in ended.out
    assert "orders: 3 tables have 2 files, they had 25; 0 went from the disk\n" in ended.out
    assert varve("sql", "SELECT partitions FROM topics", "--format", "csv").out == "partitions\n11\n"
    assert varve("maintain", "orders", "--dry-run").out == "orders: nothing would go\n"


def test_while_another_process_writes_nothing_is_touched(grown: Any, varve: Varve) -> None:
    with grown.storage.lock("_landing/orders/writer.lock"):
        ended = varve("maintain", "orders")
    assert ended.code == 1
    assert "Another process is writing the lake of orders" in ended.err
