"""What the driver reads of a lake, asked of lakes that are written without Spark."""

from typing import Any

import pytest

from jobs import many_rows
from jobs.errors import SnapshotRefusedError
from jobs.lake.rows import show
from jobs.lake.sight import Sight
from jobs.lake.snapshot_id import logical_time
from jobs.lake.stored import StoredRows, read_parquet
from schemas.registry import tables

FIRST, SECOND, THIRD, FOURTH = (f"20261121T14{minute}000Z" for minute in range(4))
OFFSETS, TOPICS = tables()["admin_offsets"], tables()["topics"]
LIVING = [("a", 1), ("b", 2), ("d", 4)]


def _read(lake: Any, before: str) -> list[int]:
    """The high watermarks that the newest snapshot wrote of those that are committed up to `before`."""
    sight = Sight(lake.storage, "orders", before)
    rows = sight.connection.sql(StoredRows(lake.storage, sight).newest_written(OFFSETS)).to_arrow_table()
    return sorted(rows["high_watermark"].to_pylist())


def test_the_newest_rows_of_a_series_are_those_of_the_last_committed_snapshot_that_wrote_any(
    lake: Any,
) -> None:
    assert _read(lake, FIRST) == []
    for snapshot_id, high_watermark in ((FIRST, 1), (SECOND, 2), (FOURTH, 4)):
        at = logical_time(snapshot_id)
        row = {"topic": "a", "partition": 0, "leader": 1, "high_watermark": high_watermark}
        stamp = {"snapshot_id": snapshot_id, "written_by": snapshot_id, "captured_at": at, "day": at.date()}
        lake.append(OFFSETS, [row | stamp])
    for snapshot_id in (FIRST, SECOND, THIRD):
        lake.commit(snapshot_id)
    assert _read(lake, FIRST) == [1]
    assert _read(lake, SECOND) == [2]
    assert _read(lake, THIRD) == [2]
    assert _read(lake, FOURTH) == [2]  # it was never committed


@pytest.mark.usefixtures("two_snapshots")
def test_many_living_rows_are_read_by_the_query_that_needs_them(
    lake: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(many_rows, "MANY_ROWS", 6)
    sight = Sight(lake.storage, "orders", "20261121T001000Z")
    stored = StoredRows(lake.storage, sight)
    few = stored.known(TOPICS)
    assert [(row["topic"], row["partitions"]) for row in few.sort_by("topic").to_pylist()] == LIVING
    monkeypatch.setattr(many_rows, "MANY_ROWS", 5)
    with sight.connection.cursor() as cursor:
        show(cursor, "before", stored.known(TOPICS))
        assert cursor.sql("SELECT topic, partitions FROM before ORDER BY topic").fetchall() == LIVING


def test_what_landed_and_is_gone_is_said_and_no_error_of_a_library(lake: Any) -> None:
    with pytest.raises(SnapshotRefusedError, match=r"/gone\.parquet is not there any more: another process"):
        read_parquet(lake.storage, ["_landing/orders/kafka/gone.parquet"], OFFSETS.columns)
