import pytest

from jobs.sources.log_dirs.formats.checkpoint import parse_epochs, parse_offsets
from jobs.sources.log_dirs.formats.java_text import ParseError

P = "/d0/replication-offset-checkpoint"


@pytest.mark.parametrize("content", [b"", b"0\n", b"0\n0\n"])
def test_an_empty_file_is_an_empty_list(content: bytes) -> None:
    assert parse_offsets(content, P) == {}


def test_each_line_is_a_topic_a_partition_and_an_offset() -> None:
    assert parse_offsets(b"0\n2\norders 0 50\norders 1 7\n", P) == {("orders", 0): 50, ("orders", 1): 7}


def test_tabs_and_spaces_at_the_end_are_accepted() -> None:
    assert parse_offsets(b"0\n1\norders\t 0  50 \t\n", P) == {("orders", 0): 50}


def test_of_two_lines_for_one_partition_the_last_wins() -> None:
    assert parse_offsets(b"0\n2\norders 0 5\norders 0 7\n", P) == {("orders", 0): 7}


def test_a_negative_offset_is_accepted() -> None:
    assert parse_offsets(b"0\n1\norders 0 -1\n", P) == {("orders", 0): -1}


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"1\n0\n", f"Unrecognised version:1, expected version: 0 in checkpoint file at: {P}"),
        (b"x\n0\n", f"Malformed line in checkpoint file [{P}]: x"),
        (b"0\nx\n", f"Malformed line in checkpoint file [{P}]: x"),
        (b"0\n1 \norders 0 5\n", f"Malformed line in checkpoint file [{P}]: 1 "),
        (b"0\n1\norders 0\n", f"Malformed line in checkpoint file [{P}]: orders 0"),
        (b"0\n1\norders 0 5 6\n", f"Malformed line in checkpoint file [{P}]: orders 0 5 6"),
        (b"0\n2\norders 0 5\n\n", f"Malformed line in checkpoint file [{P}]: "),
        (b"0\n1\n orders 0 5\n", f"Malformed line in checkpoint file [{P}]:  orders 0 5"),
        (b"\0\0", f"Malformed line in checkpoint file [{P}]: \0\0"),
        (b"0\n2\norders 0 5\n", f"Expected [2] entries in checkpoint file [{P}], but found only [1]"),
        (b"0\n1\na 0 5\nb 0 6\n", f"Expected [1] entries in checkpoint file [{P}], but found only [2]"),
        (b"0\n1\norders x 5\n", 'NumberFormatException: For input string: "x"'),
        (b"0\n-1\n", "IllegalArgumentException: Illegal Capacity: -1"),
    ],
)
def test_what_kafka_cannot_read_is_a_problem_in_its_words(content: bytes, problem: str) -> None:
    with pytest.raises(ParseError) as raised:
        parse_offsets(content, P)
    assert str(raised.value) == problem


def test_leader_epochs_are_the_lines_as_they_stand() -> None:
    assert parse_epochs(b"0\n2\n0 0\n4 120\n", P) == [(0, 0), (4, 120)]


def test_a_negative_leader_epoch_does_not_load() -> None:
    with pytest.raises(ParseError) as raised:
        parse_epochs(b"0\n1\n-1 0\n", P)
    assert str(raised.value) == (
        "IllegalArgumentException: Received invalid partition leader epoch entry "
        "EpochEntry(epoch=-1, startOffset=0)"
    )


def test_a_very_long_malformed_line_is_cut() -> None:
    with pytest.raises(ParseError) as raised:
        parse_offsets(b"\0" * 1_000_000, P)
    assert len(str(raised.value)) == 300
