"""The raw state that each commit left, also where retention has dropped the oldest past."""

from datetime import UTC, datetime
from typing import Any

from jobs.lake.sandbox import open_sandbox
from jobs.lake.sight import Sight
from jobs.lake.stored import StoredRows
from jobs.rebuild.raw_past import RawPast, RawTable
from jobs.upkeep.retention import Retention
from schemas.zookeeper import ZNODES
from tests.jobs.conftest import captured

DAYS = [f"202611{day:02}T000000Z" for day in range(1, 6)]
STAT = dict.fromkeys(
    (
        "czxid",
        "mzxid",
        "pzxid",
        "version",
        "cversion",
        "aversion",
        "ephemeral_owner",
        "data_length",
        "num_children",
    ),
    1,
)
ZNODE = STAT | {"encoding": "utf-8"} | dict.fromkeys(("ctime", "mtime"), datetime(2026, 11, 1, tzinfo=UTC))
BEFORE = [(None, "1"), ("1", "2"), ("2", "3"), ("3", "4"), ("4", "5")]


def grow(lake: Any) -> None:
    """The data of a znode is the number of the day; the fourth day opens an era. The quorum was seen on the first day."""
    lake.change("quorum", DAYS[0], "keyframe", DAYS[0], leader_id=1, leader_epoch=1)
    for number, snapshot_id in enumerate(DAYS, 1):
        era, op = (DAYS[3] if number > 4 else DAYS[0]), ("keyframe" if number == 1 else "update")
        lake.change("znodes", snapshot_id, op, era, path="/a", data=str(number), **ZNODE)
        if number == 4:
            lake.change("znodes", snapshot_id, "keyframe", snapshot_id, path="/a", data=str(number), **ZNODE)
        dead = {"path": "/dead", "op": "create", "era": DAYS[0], "changed_at": captured(snapshot_id)}
        lake.append(
            "znodes", [{**ZNODE, **dead, "snapshot_id": snapshot_id, "written_by": f"{snapshot_id}.2"}]
        )
        lake.commit(snapshot_id)


def past(lake: Any) -> StoredRows:
    return StoredRows(lake.storage, Sight(lake.storage, "orders"))


def data(changes: Any) -> list[tuple[str | None, str]]:
    return [(row["before"] and row["before"]["data"], row["after"]["data"]) for row in changes.to_pylist()]


def test_each_commit_leaves_what_it_changed_and_a_keyframe_changes_nothing(lake: Any) -> None:
    grow(lake)
    table = RawTable(ZNODES, past(lake).changes(ZNODES))
    for snapshot_id, (before, after) in zip(DAYS, BEFORE, strict=True):
        assert data(table.go_on(open_sandbox(), snapshot_id)) == [(before, after)]
        assert table.rows.select(["path", "data"]).to_pylist() == [{"path": "/a", "data": after}]
        assert table.go_on(open_sandbox(), snapshot_id).num_rows == 0
    assert RawPast(past(lake)).start == DAYS[0]


def test_what_retention_has_dropped_is_where_the_past_begins(lake: Any) -> None:
    grow(lake)
    keep = Retention(lake.storage, "orders", datetime(2026, 11, 5, 12, tzinfo=UTC), 1, 14)
    for part in keep.outdated(ZNODES):
        keep.drop(part)
    table = RawTable(ZNODES, past(lake).changes(ZNODES))
    assert RawPast(past(lake)).start == table.oldest_era == DAYS[3]
    assert data(table.go_on(open_sandbox(), DAYS[3])) == [(None, "4")]
    assert data(table.go_on(open_sandbox(), DAYS[4])) == [("4", "5")]
