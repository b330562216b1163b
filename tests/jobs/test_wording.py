"""How values are written for people."""

from datetime import UTC, datetime, timedelta

import pytest

from jobs.wording import ago, counted, facts, in_words, printable, written

NOW = datetime(2026, 11, 21, 0, 30, 5, tzinfo=UTC)


def test_what_could_steer_a_terminal_is_shown_as_text() -> None:
    assert printable("a\x1b[31m\u202eb\n") == "a\\x1b[31m\\u202eb\\n"
    assert printable("Zürich, 東京") == "Zürich, 東京"


def test_an_instant_ends_with_z_when_it_has_a_zone() -> None:
    assert written(NOW) == "2026-11-21 00:30:05Z"
    assert written(NOW.replace(tzinfo=None)) == "2026-11-21 00:30:05"


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (-5, "0 seconds ago"),
        (119, "119 seconds ago"),
        (120, "2 minutes ago"),
        (7_199, "119 minutes ago"),
        (7_200, "2 hours ago"),
        (172_799, "47 hours ago"),
        (172_800, "2 days ago"),
    ],
)
def test_how_long_ago_is_said_in_the_largest_unit_of_which_there_are_two(seconds: int, said: str) -> None:
    assert ago(NOW - timedelta(seconds=seconds), NOW) == said


def test_one_thing_is_told_apart_from_several() -> None:
    assert (counted(1, "topic"), counted(2, "topic"), counted(0, "topic")) == (
        "1 topic",
        "2 topics",
        "0 topics",
    )


def test_facts_have_names_in_words_and_what_is_no_object_is_one_fact() -> None:
    assert facts('{"leader_epoch": 7, "isr": null}') == {"leader epoch": 7, "isr": None}
    assert facts("[1]") == {"evidence": "[1]"}
    assert facts("{broken") == {"evidence": "{broken"}


def test_facts_in_words_leave_out_what_is_not_known_and_cut_long_lists() -> None:
    assert (
        in_words('{"leader": -1, "isr": [], "is_known": true, "elr": null}')
        == "leader -1, isr [], is known true"
    )
    assert in_words('{"ids": [{"broker_id": 1, "path": "/d0"}]}') == "ids [(broker_id 1, path /d0)]"
    assert in_words('{"replicas": [1, 2, 3, 4, 5, 6, 7]}') == "replicas [1, 2, 3, 4, 5 and 2 more]"
    assert in_words("{}") == ""
