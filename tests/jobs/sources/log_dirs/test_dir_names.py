import pytest

from jobs.sources.log_dirs.formats.dir_names import ReplicaName, kind_of, parse_dir_name
from jobs.sources.log_dirs.formats.java_text import ParseError

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
