"""Which lines a picture shows, and what it says in words."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from jobs.report.content import Counts, Leads, Past, Progress, Term, Trouble
from jobs.report.pictures import Picture, pictures

START = datetime(2026, 11, 21, tzinfo=UTC)
LATER = START + timedelta(minutes=10)


@pytest.fixture
def drawn() -> Callable[..., list[Picture]]:
    """`drawn(leads=…)`: the pictures of a past that has nothing else."""

    def draw(partitions: int = 1, **past: list[Any]) -> list[Picture]:
        parts: dict[str, list[Any]] = {"trouble": [], "leads": [], "terms": [], "progress": []}
        counts = Counts(topics=1, partitions=partitions, brokers=1, members=1)
        return pictures(Past(**(parts | past)), counts)

    return draw


def leads(broker: int, before: int, after: int) -> list[Leads]:
    return [Leads(START, broker, before), Leads(LATER, broker, after)]


def test_of_many_brokers_those_that_moved_most_are_drawn(drawn: Callable[..., list[Picture]]) -> None:
    (picture,) = drawn(leads=[row for broker in range(10) for row in leads(broker, 100, 100 - broker)])

    assert "broker 4 leads 96 partitions, broker 5 leads 95 partitions" in picture.caption
    assert "(6 of 10 brokers, those that moved most)" in picture.caption
    assert ">broker 9: 91<" in picture.svg
    assert ">broker 3: 97<" not in picture.svg


def test_a_new_controller_is_marked_and_told(drawn: Callable[..., list[Picture]]) -> None:
    (picture,) = drawn(leads=leads(1, 3, 0), terms=[Term(LATER, 2, 8)])

    assert picture.caption == (
        "At 2026-11-21 00:10:00 UTC broker 1 leads 0 partitions. "
        "Dashed: a new controller, the last one 2, first seen at 2026-11-21 00:10:00 UTC."
    )
    assert ">controller 2<" in picture.svg


def test_a_node_with_two_directories_is_two_lines(drawn: Callable[..., list[Picture]]) -> None:
    progress = [
        Progress(at, 2, directory, 0, None) for directory in ("AAAA", "BBBB") for at in (START, LATER)
    ]
    (picture,) = drawn(progress=progress)

    assert picture.caption == "At 2026-11-21 00:10:00 UTC nobody is behind."
    assert ">node 2 (AAAA): 0<" in picture.svg
    assert ">node 2 (BBBB): 0<" in picture.svg


def test_a_high_watermark_that_is_not_known_yet_is_left_out(drawn: Callable[..., list[Picture]]) -> None:
    progress = [
        Progress(START + timedelta(minutes=n), 1, None, None, mark) for n, mark in enumerate((-1, 7, 7))
    ]
    (picture,) = drawn(progress=progress)

    assert "the high watermark is 7, the same as at the snapshot before." in picture.caption


def test_one_snapshot_is_no_picture(drawn: Callable[..., list[Picture]]) -> None:
    assert drawn(trouble=[Trouble(START, 0, 0)], leads=[Leads(START, 1, 1)]) == []


def test_a_cluster_without_partitions_has_no_picture_of_them(drawn: Callable[..., list[Picture]]) -> None:
    assert drawn(partitions=0, trouble=[Trouble(START, 0, 0), Trouble(LATER, 0, 0)]) == []
