"""One lake, three engines: Spark, DuckDB and deltalake answer alike."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from pyspark.sql import SparkSession

from jobs.lake import plain_sql
from jobs.lake.files import delta_table
from jobs.lake.read import open_reader
from jobs.lake.sight import Sight
from jobs.lake.spark_views import register_views
from jobs.lake.stored import StoredRows
from jobs.upkeep.tidy import tidy
from schemas.registry import tables

FIRST, SECOND, THIRD, FOURTH = (f"20261121T00{minute}000Z" for minute in range(4))
AT_SECOND = datetime(2026, 11, 21, 0, 10, 5, tzinfo=UTC)
QUESTIONS = {
    "topics": "topic, partitions, changed_at, snapshot_id",
    "topics_history": "topic, partitions, valid_from, valid_to, snapshot_id",
    "quotas": '"user", value',
    "controllers": "controller_id, epoch",
    "controllers_history": "epoch, valid_from, valid_to",
    "events": "event, subject, snapshot_id",
    "snapshots": "snapshot_id, status",
}

Rows = list[tuple[Any, ...]]


@pytest.fixture(params=["loaded", "rebuilt"])
def lived(lake: Any, request: pytest.FixtureRequest) -> Any:
    """Topics change, go and come back, an attempt dies, an era opens, small files are merged; then some are made again."""
    for topic in "abc":
        lake.change("topics", FIRST, "keyframe", FIRST, topic=topic, partitions=1)
    lake.change("controllers", FIRST, "keyframe", FIRST, controller_id=1, epoch=1)
    lake.change(
        "quotas", FIRST, "keyframe", FIRST, user="alice", client_id=None, ip=None, name="n", value=1.5
    )
    lake.commit(FIRST)
    lake.change("topics", SECOND, "update", FIRST, topic="a", partitions=2)
    lake.change("topics", SECOND, "delete", FIRST, topic="b", partitions=1)
    lake.append(
        "topics",
        [
            {
                "op": "create",
                "era": FIRST,
                "topic": "dead",
                "written_by": f"{SECOND}.2",
                "changed_at": AT_SECOND,
                "snapshot_id": SECOND,
            }
        ],
    )
    lake.append(
        "events",
        [
            {
                "event": "topic-deleted",
                "subject": "b",
                "since_snapshot_id": FIRST,
                "since_at": AT_SECOND,
                "captured_at": AT_SECOND,
                "snapshot_id": SECOND,
            }
        ],
    )
    lake.commit(SECOND)
    lake.change("topics", THIRD, "create", FIRST, topic="b", partitions=9)
    lake.change("controllers", THIRD, "update", FIRST, controller_id=2, epoch=2)
    kept = {"op": "keyframe", "era": THIRD, "written_by": THIRD}
    at_first, at_third = AT_SECOND.replace(minute=0), AT_SECOND.replace(minute=20)
    lake.append(
        "topics",
        [
            {**kept, "topic": "a", "partitions": 2, "changed_at": AT_SECOND, "snapshot_id": SECOND},
            {**kept, "topic": "b", "partitions": 9, "changed_at": at_third, "snapshot_id": THIRD},
            {**kept, "topic": "c", "partitions": 1, "changed_at": at_first, "snapshot_id": FIRST},
        ],
    )
    lake.commit(THIRD)
    tidy(lake.storage, "orders", "topics", small_files=2)
    lake.change("topics", FOURTH, "update", THIRD, topic="c", partitions=5)  # never committed
    if request.param == "rebuilt":
        rebuilt(lake)
    return lake


def rebuilt(lake: Any) -> None:
    """Topics are made again as they are, events come out empty, all others stay of the generation before."""
    stored = StoredRows(lake.storage, Sight(lake.storage, "orders"))
    topics, commits, events = (
        stored.committed(tables()[name]).to_pylist() for name in ("topics", "snapshots", "events")
    )
    lake.append("topics", [row | {"generation": 1} for row in topics])
    unseen = {"generation": 1, "written_by": "-", "snapshot_id": "-"}
    lake.append("events", [row | unseen for row in events])
    lake.append("topics", [row | {"generation": 2, "partitions": 7} for row in topics])  # never committed
    later = AT_SECOND + timedelta(days=1)
    lake.append("snapshots", [row | {"generation": 1, "committed_at": later} for row in commits])


def in_duckdb(lake: Any, view: str, columns: str, at: datetime | None = None) -> Rows:
    answer = open_reader(lake.storage, ["orders"], at).query(f"SELECT {columns} FROM {view}")
    return sorted(answer.rows, key=_nulls_last)


def in_spark(spark: SparkSession, view: str, columns: str) -> Rows:
    rows = spark.sql(f"SELECT {columns.replace(chr(34), '`')} FROM {view}").toArrow().to_pylist()
    return sorted((tuple(row.values()) for row in rows), key=_nulls_last)


def _nulls_last(row: tuple[Any, ...]) -> list[tuple[bool, Any]]:
    return [(value is None, value) for value in row]


def test_spark_answers_as_duckdb_does(lived: Any, spark: SparkSession) -> None:
    names = register_views(spark, lived.root, ["orders"])
    assert {*QUESTIONS} <= {*names}
    for view, columns in QUESTIONS.items():
        assert in_spark(spark, view, columns) == in_duckdb(lived, view, columns), view
    for minute in (0, 9, 10, 25):
        view = f"topics_at('2026-11-21 00:{minute:02}:05')"
        assert in_spark(spark, view, "*") == in_duckdb(lived, view, "*"), view


def test_spark_answers_as_duckdb_does_as_of_an_earlier_snapshot(lived: Any, spark: SparkSession) -> None:
    register_views(spark, lived.root, ["orders"], AT_SECOND)
    for view, columns in QUESTIONS.items():
        assert in_spark(spark, view, columns) == in_duckdb(lived, view, columns, AT_SECOND), view
    assert in_spark(spark, "topics", "topic, partitions") == [("a", 2), ("c", 1)]
    assert in_spark(spark, "snapshots", "snapshot_id") == [(FIRST,), (SECOND,)]


def test_plain_sql_over_what_deltalake_reads_answers_as_the_lakes_own_views_do(lived: Any) -> None:
    import duckdb

    with duckdb.connect() as connection:
        connection.execute("SET TimeZone = 'UTC'")
        for name in ("topics", "controllers", "quotas", "events", "snapshots"):
            delta = delta_table(lived.storage, "orders", name)
            assert delta
            connection.register(name, delta.to_pyarrow_table())
        for view, columns in QUESTIONS.items():
            select = plain_sql.view(view)
            rows = connection.execute(f"SELECT {columns} FROM ({select}) ORDER BY ALL").fetchall()
            assert rows == in_duckdb(lived, view, columns), view
        at_second = plain_sql.view("topics_at").replace(":instant", "TIMESTAMPTZ '2026-11-21 00:10:05Z'")
        assert connection.execute(f"SELECT topic, partitions FROM ({at_second}) ORDER BY 1").fetchall() == [
            ("a", 2),
            ("c", 1),
        ]
