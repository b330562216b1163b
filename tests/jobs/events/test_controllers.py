from datetime import UTC, datetime
from typing import Any

import pytest

from jobs.events import controllers

C = "controller"


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ((1, 5), (2, 6), {("controller-moved", C, "1", "2", 0)}),
        ((1, 5), (1, 6), {("controller-reelected", C, "epoch 5", "epoch 6", 0)}),
        (
            (1, 5),
            (2, 8),
            {("controller-moved", C, "1", "2", 0), ("candidacies-counted", C, "epoch 5", "epoch 8", 0)},
        ),
        ((1, 5), None, {("controller-lost", C, "1", None, 0)}),
        (None, (2, 6), {("controller-elected", C, None, "2", 0)}),
        ((1, 5), (1, 5), set()),
        ((1, 5), (None, 5), set()),  # malformed, and whole again
        ((None, 5), (1, 5), set()),
    ],
)
def test_leaders_of_the_quorum_move_and_its_epoch_counts_candidacies(
    changes: Any, told: Any, before: Any, after: Any, expected: Any
) -> None:
    rows = [
        dict(zip(("controller_id", "epoch"), values, strict=True)) if values else None
        for values in (before, after)
    ]
    assert told(controllers, changes("controllers", tuple(rows))) == expected


def test_an_epoch_that_is_not_known_counts_no_elections(changes: Any, told: Any) -> None:
    pair = ({"controller_id": 1, "epoch": None}, {"controller_id": 2, "epoch": 9})
    assert told(controllers, changes("controllers", pair)) == {("controller-moved", C, "1", "2", 0)}


def test_zookeepers_epoch_and_the_quorums_are_two_counts(changes: Any, told: Any) -> None:
    zookeeper = {"controller_id": 1, "epoch": 5, "elected_at": datetime(2026, 11, 21, 14, tzinfo=UTC)}
    quorum = {"controller_id": 3000, "epoch": 40, "elected_at": None}
    assert told(controllers, changes("controllers", (zookeeper, quorum))) == {
        ("controller-moved", C, "1", "3000", 0)
    }


def at(minute: int) -> datetime:
    return datetime(2026, 11, 21, 14, minute, tzinfo=UTC)


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ((1, 5, at(0)), (1, 6, at(1)), {("controller-reelected", C, "epoch 5", "epoch 6", 0)}),
        # The epoch was not seen in the snapshot before, in which the controller had moved already.
        ((2, 5, at(1)), (2, 6, at(1)), set()),
        ((2, 5, at(1)), (2, 8, at(1)), {("elections-missed", C, "epoch 5", "epoch 8", 0)}),
        (
            (1, 5, at(0)),
            (2, 8, at(1)),
            {("controller-moved", C, "1", "2", 0), ("elections-missed", C, "epoch 5", "epoch 8", 0)},
        ),
        # It is not seen now.
        ((1, 5, at(0)), (1, 5, at(1)), {("controller-reelected", C, "epoch 5", None, 0)}),
        ((1, None, at(0)), (1, 6, at(0)), set()),
        ((None, 5, at(0)), (None, 6, at(1)), set()),  # malformed: nobody knows who was elected
        # The same node, from ZooKeeper and from the quorum.
        ((3000, 5, at(0)), (3000, 40, None), set()),
        ((1, None, None), (1, 7, None), set()),  # a cluster in ZooKeeper mode, then its quorum
        ((1, 5, None), (1, 6, None), {("controller-reelected", C, "epoch 5", "epoch 6", 0)}),
    ],
)
def test_who_was_elected_again_is_told_by_when_it_was_elected(
    changes: Any, told: Any, before: Any, after: Any, expected: Any
) -> None:
    names = ("controller_id", "epoch", "elected_at")
    rows = [dict(zip(names, values, strict=True)) for values in (before, after)]
    assert told(controllers, changes("controllers", tuple(rows))) == expected


def test_the_quorums_leader_in_zookeeper_counts_candidacies_too(changes: Any, told: Any) -> None:
    before = {"controller_id": 3000, "epoch": 5, "elected_at": at(0), "kraft_epoch": 5}
    pair = (before, before | {"controller_id": 3001, "epoch": 9, "kraft_epoch": 9})
    assert told(controllers, changes("controllers", pair)) == {
        ("controller-moved", C, "3000", "3001", 0),
        ("candidacies-counted", C, "epoch 5", "epoch 9", 0),
    }
