from collections.abc import Callable

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from expectations.validate import validate

Frame = Callable[..., DataFrame]
QUORUM = {"leader_id": 1, "leader_epoch": 4}


def test_every_expectation_is_a_row_of_expectation_results(frame: Frame) -> None:
    assert validate({"quorum": frame("quorum", QUORUM)}) == [
        ("quorum", "leader_id is never null", "quorum", "critical", True, None),
        ("quorum", "leader_epoch is never null", "quorum", "critical", True, None),
        ("quorum", "there is at most one row", "quorum", "critical", True, None),
    ]


def test_a_failure_says_how_much_it_saw(frame: Frame) -> None:
    made = frame("quorum", QUORUM, QUORUM, {"leader_id": 1})
    assert [row[5] for row in validate({"quorum": made})] == [None, "1 row", "2 surplus rows"]


def test_a_row_without_a_key_is_counted_but_not_shown(frame: Frame) -> None:
    made = frame("admin_topics", {"topic": "orders"}, {"topic": None}, {"topic": "orders"})
    assert [row[4:] for row in validate({"admin_topics": made})] == [
        (False, "1 row"),
        (False, "1 duplicate"),
    ]


def test_a_null_in_a_key_is_a_value_like_any_other(frame: Frame) -> None:
    member = {"node_id": 1, "directory_id": None, "role": "voter"}
    twice = frame("quorum_members", member, member)
    once = frame("quorum_members", member, {**member, "node_id": 2})
    assert [row[1] for row in validate({"quorum_members": twice}) if not row[4]] == [
        "(node_id, directory_id) is unique"
    ]
    assert all(row[4] for row in validate({"quorum_members": once}))


def test_tables_with_the_same_expectation_do_not_answer_for_each_other(frame: Frame) -> None:
    whole, torn = frame("admin_topics", {"topic": "orders"}), frame("topics", {"topic": None})
    rows = validate({"admin_topics": whole, "topics": torn, "admin_partitions": whole.limit(0)})
    assert [row[2:5:2] for row in rows if row[1] == "topic is never null"] == [
        ("admin_topics", True),
        ("topics", False),
        ("admin_partitions", True),
    ]


def test_no_rows_break_nothing(frame: Frame) -> None:
    names = ("znodes", "partitions", "brokers", "disk_replicas", "log_dirs", "controllers", "findings")
    assert [row for row in validate({name: frame(name) for name in names}) if not row[4]] == []


def test_an_expectation_that_cannot_be_run_fails_alone_with_the_reason(frame: Frame) -> None:
    made = frame("quorum", QUORUM).drop("leader_epoch")
    first, second, third = validate({"quorum": made})
    assert (first[4], third[4]) == (True, True)
    assert second[4] is False
    assert "leader_epoch" in (second[5] or "")
    assert "\n" not in (second[5] or "")


def test_a_frame_that_cannot_be_read_fails_every_expectation_of_its_table_only(frame: Frame) -> None:
    unreadable = frame("quorum", QUORUM).withColumn("leader_id", F.expr("raise_error('the disk is gone')"))
    rows = validate({"quorum": unreadable, "admin_topics": frame("admin_topics", {"topic": "orders"})})
    assert [(row[2], row[4]) for row in rows] == [
        ("quorum", False),
        ("quorum", False),
        ("quorum", False),
        ("admin_topics", True),
        ("admin_topics", True),
    ]
    assert "the disk is gone" in (rows[0][5] or "")


def test_what_was_observed_stays_short(frame: Frame) -> None:
    made = frame("topics", {"topic": "x" * 400})
    observed = next(
        row[5] or "" for row in validate({"topics": made}) if row[1] == "topic is a name that Kafka accepts"
    )
    assert len(observed) == 200
    assert observed.endswith("x…")


def test_nothing_stays_cached(spark: SparkSession, frame: Frame) -> None:
    """Delta keeps the state of the tables that other tests read, so only what is new counts."""
    before = set(spark.sparkContext._jsc.getPersistentRDDs())
    validate({"quorum": frame("quorum", QUORUM)})
    assert set(spark.sparkContext._jsc.getPersistentRDDs()) <= before
