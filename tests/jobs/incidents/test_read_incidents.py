"""Incidents of a lake, with what happened around their first sight."""

from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

import pytest

from jobs.incidents import words
from jobs.incidents.read import read_incidents
from jobs.lake.read import open_reader

FIRST, SECOND, THIRD, FOURTH = (f"20261121T00{minute}000Z" for minute in (0, 1, 2, 3))


@pytest.fixture
def lost(lake: Any) -> Any:
    """Broker 3 leaves between the second snapshot and the third; there is a topic in every snapshot."""
    finding = {"severity": "warning", "status": "open", "evidence": "{}", "remedy": "look"}
    finding["first_seen_at"] = datetime(2026, 11, 21, 0, 20, 5, tzinfo=UTC)
    lake.change("findings", THIRD, "create", FIRST, check_id="broker-down", subject="broker 3", **finding)
    cause = {"cause_check_id": "broker-down", "cause_subject": "broker 3"}
    for number in range(2):
        lake.change(
            "findings",
            THIRD,
            "create",
            FIRST,
            check_id="under-replicated-partition",
            subject=f"orders-{number}",
            **finding,
            **cause,
        )
    ids = (FIRST, SECOND, THIRD, FOURTH)
    for before, now in pairwise(ids):
        lake.happened("topic-created", f"at {now}", before, now)
    lake.happened("broker-left", "broker 3", SECOND, THIRD, "b3:9092", partitions_touched=2)
    lake.happened("isr-shrank", "orders-1", SECOND, THIRD, "1,3", "1", partitions_touched=1)
    lake.happened("isr-shrank", "orders-0", SECOND, THIRD, "1,3", "1", partitions_touched=1)
    lake.happened("leader-moved", "orders-2", SECOND, THIRD, "3", "1", 1, reason="broker-left")
    for snapshot in ids:
        lake.commit(snapshot)
    return lake


def test_an_incident_is_told_with_the_events_of_its_first_snapshot_and_the_one_before(lost: Any) -> None:
    (incident,) = read_incidents(open_reader(lost.storage, ["orders"]))
    assert words.explains(incident) == "2 under-replicated-partition (orders-0, orders-1)"
    assert words.before(incident.before) == (
        "broker-left broker 3 (b3:9092 → none), leader-moved orders-2 (3 → 1, broker-left), 2 isr-shrank (orders-0, …), "
        "2 topic-created (at 20261121T001000Z, …)"
    )


def test_as_of_an_earlier_snapshot_there_was_no_incident(lost: Any) -> None:
    assert read_incidents(open_reader(lost.storage, ["orders"], SECOND)) == []


def test_an_incident_of_the_first_snapshot_has_nothing_before_it(lake: Any) -> None:
    finding = {"severity": "warning", "status": "open", "evidence": "{}", "remedy": "look"}
    finding["first_seen_at"] = datetime(2026, 11, 21, 0, 0, 5, tzinfo=UTC)
    lake.change("findings", FIRST, "create", FIRST, check_id="broker-down", subject="broker 3", **finding)
    lake.commit(FIRST)
    (incident,) = read_incidents(open_reader(lake.storage, ["orders"]))
    assert incident.before == ()
