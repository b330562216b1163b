from typing import Any

import pytest

from jobs.events.controllers import events

C = "controller"


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ((1, 5), (2, 6), {("controller-moved", C, "1", "2", 0)}),
        ((1, 5), (1, 6), {("controller-reelected", C, "5", "6", 0)}),
        ((1, 5), (2, 8), {("controller-moved", C, "1", "2", 0), ("elections-missed", C, "5", "8", 0)}),
        ((1, 5), None, {("controller-lost", C, "1", None, 0)}),
        (None, (2, 6), {("controller-elected", C, None, "2", 0)}),
        ((1, 5), (1, 5), set()),
    ],
)
def test_controllers_move_and_elections_are_missed(
    changes: Any, told: Any, before: Any, after: Any, expected: Any
) -> None:
    rows = [
        dict(zip(("controller_id", "epoch"), values, strict=True)) if values else None
        for values in (before, after)
    ]
    assert told(events(changes("controllers", tuple(rows)))) == expected
