import pytest

from jobs.sources.log_dirs.formats.checkpoint import parse_epochs, parse_offsets
from jobs.sources.log_dirs.formats.java_text import ParseError


@pytest.mark.parametrize("content", [b"", b"0\n", b"0\n0\n"])
def test_an_empty_file_is_an_empty_list(content: bytes) -> None:
    assert parse_offsets(content) == {}


def test_each_line_is_a_topic_a_partition_and_an_offset() -> None:
    assert parse_offsets(b"0\n2\norders 0 50\norders 1 7\n") == {("orders", 0): 50, ("orders", 1): 7}


def test_tabs_and_spaces_at_the_end_are_accepted() -> None:
    assert parse_offsets(b"0\n1\norders\t 0  50 \t\n") == {("orders", 0): 50}


def test_of_two_lines_for_one_partition_the_last_wins() -> None:
    assert parse_offsets(b"0\n2\norders 0 5\norders 0 7\n") == {("orders", 0): 7}


def test_a_negative_offset_is_accepted() -> None:
    assert parse_offsets(b"0\n1\norders 0 -1\n") == {("orders", 0): -1}


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"1\n0\n", "version 1 is not 0"),
        (b"x\n0\n", '"x" is no number of 32 bits'),
        (b"0\nx\n", '"x" is no number of 32 bits'),
        (b"0\n1 \norders 0 5\n", '"1 " is no number of 32 bits'),
        (b"0\n1\norders 0\n", "malformed line: orders 0"),
        (b"0\n1\norders 0 5 6\n", "malformed line: orders 0 5 6"),
        (b"0\n2\norders 0 5\n\n", "malformed line: "),
        (b"0\n1\n orders 0 5\n", "malformed line:  orders 0 5"),
        (b"\0\0", '"\0\0" is no number of 32 bits'),
        (b"0\n2\norders 0 5\n", "it announces 2 entries and holds 1"),
        (b"0\n1\na 0 5\nb 0 6\n", "it announces 1 entries and holds 2"),
        (b"0\n1\norders x 5\n", '"x" is no number of 32 bits'),
        (b"0\n-1\n", "it announces -1 entries and holds 0"),
    ],
)
def test_what_kafka_cannot_read_is_a_problem(content: bytes, problem: str) -> None:
    with pytest.raises(ParseError) as raised:
        parse_offsets(content)
    assert str(raised.value) == problem


def test_leader_epochs_are_the_lines_as_they_stand() -> None:
    assert parse_epochs(b"0\n2\n0 0\n4 120\n") == [(0, 0), (4, 120)]


def test_a_negative_leader_epoch_does_not_load() -> None:
    with pytest.raises(ParseError) as raised:
        parse_epochs(b"0\n1\n-1 0\n")
    assert str(raised.value) == "leader epoch -1 from offset 0: neither may be negative"


def test_a_very_long_malformed_line_is_cut() -> None:
    with pytest.raises(ParseError) as raised:
        parse_offsets(b"\0" * 1_000_000)
    assert len(str(raised.value)) == 300
