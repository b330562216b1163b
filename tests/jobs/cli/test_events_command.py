"""`varve events`: what happened, in time order."""

import json
from collections.abc import Callable
from typing import Any

import pytest

FIRST, SECOND, THIRD = "20261121T140000Z", "20261121T141000Z", "20261121T142000Z"

Events = Callable[..., list[tuple[str, str]]]


@pytest.fixture
def incident(lake: Any) -> Any:
    """Broker 2 leaves, its partition loses a replica, a topic is created afterwards."""
    for snapshot_id in (FIRST, SECOND, THIRD):
        lake.commit(snapshot_id)
    lake.happened("broker-left", "broker 2", FIRST, SECOND, from_value="b2:9092", partitions_touched=12)
    lake.happened("isr-shrank", "orders-10", FIRST, SECOND, "1,2", "1", partitions_touched=1)
    lake.happened("isr-shrank", "orders-9", FIRST, SECOND, "1,2", "1", partitions_touched=1)
    lake.happened("topic-created", "audit", SECOND, THIRD, partitions_touched=3)
    return lake


@pytest.fixture
def events(incident: Any, varve: Callable[..., Any]) -> Events:
    def ask(*words: str) -> list[tuple[str, str]]:
        ended = varve("events", *words, "--cluster", incident.cluster, "--format", "json")
        assert ended.code == 0, ended.err
        return [(row["event"], row["subject"]) for row in json.loads(ended.out)]

    return ask


BROKER = ("broker-left", "broker 2")
SHRANK = [("isr-shrank", "orders-9"), ("isr-shrank", "orders-10")]
TOPIC = ("topic-created", "audit")


def test_events_come_in_time_order_and_what_touches_most_comes_first(events: Events) -> None:
    assert events("--since", "2026-11-21") == [BROKER, *SHRANK, TOPIC]


def test_what_may_have_happened_between_two_instants_is_shown(events: Events) -> None:
    assert events("--since", "2026-11-21T14:05", "--until", "2026-11-21T14:06") == [BROKER, *SHRANK]
    assert events("--since", "2026-11-21T14:10:05", "--until", "2026-11-21T14:11") == [TOPIC]
    assert events("--since", "2026-11-21T14:20:05") == []


def test_between_two_snapshots_is_what_the_later_ones_saw(events: Events) -> None:
    assert events("--since", FIRST, "--until", SECOND) == [BROKER, *SHRANK]
    assert events("--since", SECOND, "--until", THIRD) == [TOPIC]
    assert events("--since", "20261121T120000Z", "--until", FIRST) == []
    assert events("--since", "20261121T120000Z") == [BROKER, *SHRANK, TOPIC]


def test_a_kind_and_a_subject_narrow_it(events: Events) -> None:
    assert events("--since", "2026-11-21", "--kind", "isr-shrank", "--subject", "orders-9") == SHRANK[:1]
    assert events("--since", "2026-11-21", "--subject", "it's not there") == []


def test_a_kind_that_no_module_declares_is_refused_with_those_that_are_near(
    events: Events, varve: Callable[..., Any]
) -> None:
    assert events("--since", "2026-11-21")
    ended = varve("events", "--since", "-1h", "--kind", "broker-leave")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith("error: There is no kind of event 'broker-leave': did you mean broker-left")


def test_below_the_table_stands_as_of_when_it_is(incident: Any, varve: Callable[..., Any]) -> None:
    incident.commit("20261121T143000Z", ("zookeeper", "/config/users", "unauthorized", "no read right"))
    ended = varve("events", "--since", "2026-11-21T14:15", "--cluster", "orders")
    header, _, row, as_of = ended.out.splitlines()
    assert header.split()[:4] == ["captured_at", "cluster", "event", "subject"]
    assert row.split()[:5] == ["2026-11-21", "14:20:05Z", "orders", "topic-created", "audit"]
    assert as_of.startswith("as of 2026-11-21 14:30:05Z")
    assert as_of.endswith("not seen: zookeeper /config/users (unauthorized)")


def test_since_must_be_said_and_be_a_point_in_time(varve: Callable[..., Any]) -> None:
    assert varve("events").code == 2
    ended = varve("events", "--since", "lately")
    assert (ended.code, ended.out) == (2, "")
    assert "'lately' is no point in time; write" in ended.err
