import pytest

from jobs.sources.log_dirs.formats.java_text import ParseError
from jobs.sources.log_dirs.formats.names import (
    CheckpointName,
    ReplicaName,
    kind_of,
    newest_finished,
    parse_checkpoint_name,
    parse_dir_name,
    producers,
)

ID = "00000000000000000042-0000000003"
UNIQUE = "0123456789abcdef0123456789abcdef"


@pytest.mark.parametrize(
    ("name", "replica"),
    [
        ("orders-3", ReplicaName("orders", 3, "current")),
        ("topic--1", ReplicaName("topic-", 1, "current")),
        ("x-delete-0", ReplicaName("x-delete", 0, "current")),
        ("a-007", ReplicaName("a", 7, "current")),
        ("a-+5", ReplicaName("a", 5, "current")),
        ("my.topic-1", ReplicaName("my.topic", 1, "current")),
        ("__cluster_metadata-0", ReplicaName("__cluster_metadata", 0, "current")),
        (f"orders-3.{UNIQUE}-delete", ReplicaName("orders", 3, "delete")),
        (f"my.topic-3.{UNIQUE}-future", ReplicaName("my.topic", 3, "future")),
        (f"orders-3.{UNIQUE}-stray", ReplicaName("orders", 3, "stray")),
    ],
)
def test_a_name_is_cut_at_the_last_dash_and_a_mark_at_the_last_dot(name: str, replica: ReplicaName) -> None:
    assert parse_dir_name(name) == replica


@pytest.mark.parametrize(
    "name", ["lost+found", "orders", "orders-", "-3", "orders-x", "x-delete", "a-1-delete"]
)
def test_a_name_kafka_would_not_start_with_is_a_problem(name: str) -> None:
    with pytest.raises(ParseError, match="is not in the form of topic-partition"):
        parse_dir_name(name)


def test_the_kind_is_known_even_when_the_rest_is_not_legal() -> None:
    assert [kind_of(name) for name in ("x-delete", "lost+found")] == ["delete", "current"]


def test_a_topic_of_249_characters_is_whole() -> None:
    assert parse_dir_name(f"{'t' * 249}-10") == ReplicaName("t" * 249, 10, "current")


def test_a_mark_on_a_long_name_cuts_the_topic_at_255_characters_and_one_of_a_move_does_not() -> None:
    cut = f"{'t' * 213}-0.{UNIQUE}-delete"
    assert len(cut) == 255
    assert parse_dir_name(cut) == ReplicaName("t" * 213, 0, "delete")
    assert parse_dir_name(f"{'t' * 246}-0.{UNIQUE}-future") == ReplicaName("t" * 246, 0, "future")


def test_a_topic_s_characters_are_not_looked_at_again() -> None:
    assert parse_dir_name("a b$-0") == ReplicaName("a b$", 0, "current")


@pytest.mark.parametrize(
    ("name", "status"),
    [
        (f"{ID}.checkpoint", "finished"),
        (f"{ID}-8731.checkpoint.part", "part"),
        (f"{ID}.checkpoint.deleted", "deleted"),
    ],
)
def test_a_name_is_an_end_offset_an_epoch_and_how_far_the_file_is(name: str, status: str) -> None:
    assert parse_checkpoint_name(name) == CheckpointName(42, 3, status)


@pytest.mark.parametrize(
    "name", ["leader-epoch-checkpoint", "quorum-state", f"{ID}.snapshot", f"{ID}.checkpoint.tmp"]
)
def test_other_files_are_no_checkpoints(name: str) -> None:
    assert parse_checkpoint_name(name) is None


@pytest.mark.parametrize("name", ["x.checkpoint", "bootstrap.checkpoint", "7-1.checkpoint"])
def test_a_name_without_the_two_numbers_is_refused(name: str) -> None:
    with pytest.raises(ParseError, match="is no number of"):
        parse_checkpoint_name(name)


def test_the_newest_has_the_highest_end_offset_and_then_epoch_and_is_finished() -> None:
    names = [
        "00000000000000000009-0000000001.checkpoint",
        "00000000000000000009-0000000002.checkpoint",
        "00000000000000000007-0000000004.checkpoint",
        "00000000000000000012-0000000004.checkpoint.part",
        "00000000000000000013-0000000004.checkpoint.deleted",
        "bootstrap.checkpoint",
    ]
    assert newest_finished(names) == "00000000000000000009-0000000002.checkpoint"
    assert newest_finished(names[3:]) is None


def test_the_name_is_an_offset_and_the_size_a_number_of_producers() -> None:
    assert producers("00000000000000000050.snapshot", 10 + 46 * 3) == (50, 3)
    assert producers("00000000000000000050.snapshot", 10) == (50, 0)


@pytest.mark.parametrize("size", [0, 9, 11, 10 + 46 - 1])
def test_a_snapshot_that_is_being_written_or_was_cut_off_tells_no_number(size: int) -> None:
    assert producers("00000000000000000050.snapshot", size) == (50, None)


@pytest.mark.parametrize(
    "name", ["", "50.snapshot", "00000000000000000050.snapshot.deleted", "99999999999999999999.snapshot"]
)
def test_a_name_that_kafka_did_not_give_tells_nothing(name: str) -> None:
    assert producers(name, 10) == (None, None)
