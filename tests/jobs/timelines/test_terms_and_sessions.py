"""From when to when a node was the controller, and a broker was up."""

from datetime import UTC, datetime
from typing import Any

import pytest

from jobs.lake.read import open_reader

SNAPSHOTS = FIRST, SECOND, THIRD, FOURTH, FIFTH = [f"20261121T14{minute}00Z" for minute in range(10, 60, 10)]
AT_FIRST, AT_SECOND, AT_THIRD, AT_FOURTH, AT_FIFTH = (
    datetime(2026, 11, 21, 14, minute, 5, tzinfo=UTC) for minute in range(10, 60, 10)
)


@pytest.fixture
def told(lake: Any) -> Any:
    for snapshot_id in SNAPSHOTS:
        lake.commit(snapshot_id)

    def versions(table: str, *rows: tuple[str, dict[str, Any] | None], **key: Any) -> None:
        """One object's versions, each from a snapshot on; None while it is gone."""
        known: dict[str, Any] | None = None
        for snapshot_id, row in rows:
            op = "delete" if row is None else "update" if known else "create"
            op = "keyframe" if snapshot_id == FIRST else op
            lake.change(table, snapshot_id, op, FIRST, **key, **(row or {}))
            known = row

    return versions


def ask(lake: Any, sql: str) -> list[tuple[Any, ...]]:
    return open_reader(lake.storage, ["orders"]).query(sql).rows


def elected(minute: int) -> datetime:
    return datetime(2026, 11, 21, 14, minute, tzinfo=UTC)


TERMS = (
    "SELECT controller_id, epoch, ruled_since, ruled_until, elections_missed FROM terms ORDER BY ruled_since"
)


def test_a_term_goes_on_until_another_election(lake: Any, told: Any) -> None:
    told(
        "controllers",
        (FIRST, {"controller_id": 1, "epoch": 5, "elected_at": elected(2)}),
        (SECOND, {"controller_id": 1, "epoch": 5, "elected_at": elected(2), "kraft_epoch": -1}),
        (THIRD, {"controller_id": 1, "epoch": 6, "elected_at": elected(25)}),
        (FOURTH, None),
        (FIFTH, {"controller_id": 2, "epoch": 9, "elected_at": elected(44)}),
    )
    assert ask(lake, TERMS) == [
        (1, 5, elected(2), AT_THIRD, None),
        (1, 6, elected(25), AT_FOURTH, 0),
        (2, 9, elected(44), None, 2),
    ]


def test_the_quorums_epochs_count_no_elections(lake: Any, told: Any) -> None:
    told(
        "controllers",
        (FIRST, {"controller_id": 101, "epoch": 3}),
        (SECOND, {"controller_id": 102, "epoch": 15}),
        (THIRD, {"controller_id": -1, "epoch": 17}),
    )
    assert ask(lake, TERMS) == [(101, 3, AT_FIRST, AT_SECOND, None), (102, 15, AT_SECOND, AT_THIRD, None)]


SESSIONS = "SELECT broker_id, up_since, up_until, began, ended FROM sessions ORDER BY broker_id, up_since"


def test_a_broker_in_zookeeper_joins_bounces_and_leaves(lake: Any, told: Any) -> None:
    told(
        "brokers",
        (FIRST, {"epoch": 10, "session": 1, "rack": "a"}),
        (SECOND, {"epoch": 10, "session": 1, "rack": "b"}),
        (THIRD, {"epoch": 30, "session": 3}),
        (FOURTH, None),
        (FIFTH, {"epoch": 50, "session": 5}),
        broker_id=1,
    )
    told("brokers", (SECOND, {"epoch": 20, "session": 2}), broker_id=2)
    lake.happened("broker-bounced", "broker 1", SECOND, THIRD)
    assert ask(lake, SESSIONS) == [
        (1, AT_FIRST, AT_THIRD, None, "bounced"),
        (1, AT_THIRD, AT_FOURTH, "bounced", "left"),
        (1, AT_FIFTH, None, "joined", None),
        (2, AT_SECOND, None, "joined", None),
    ]


def test_a_broker_of_a_quorum_is_fenced_and_bounces(lake: Any, told: Any) -> None:
    told(
        "brokers",
        (FIRST, {"fenced": False}),
        (THIRD, {"fenced": True, "epoch": 7}),
        (FOURTH, {"fenced": False}),
        broker_id=1,
    )
    told("brokers", (SECOND, {"fenced": False}), (THIRD, None), (FOURTH, {"fenced": False}), broker_id=2)
    lake.happened("broker-bounced", "broker 1", FIRST, SECOND)
    assert ask(lake, SESSIONS) == [
        (1, AT_FIRST, AT_SECOND, None, "bounced"),
        (1, AT_SECOND, AT_THIRD, "bounced", "fenced"),
        (1, AT_FOURTH, None, "unfenced", None),
        (2, AT_SECOND, AT_THIRD, "joined", "fenced"),
        (2, AT_FOURTH, None, "unfenced", None),
    ]
