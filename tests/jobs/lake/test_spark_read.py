"""The lake in Spark: several clusters, one committed snapshot, and nothing but reading."""

from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from jobs.errors import UsageError
from jobs.lake.read import ROWS_AT_ONCE, NoSnapshotError, open_reader
from jobs.lake.spark_read import SparkReader, open_spark_reader
from jobs.lake.spark_views import register_views
from tests.jobs.conftest import WrittenLake

FIRST, SECOND = "20261121T000000Z", "20261121T001000Z"


@pytest.fixture
def clusters(lake: Any) -> Any:
    """Two clusters with a topic; of orders the second snapshot did not see brokers 2 and below."""
    other = WrittenLake(lake.root, "my-billing")
    for each, topic in ((lake, "a"), (other, "b")):
        each.change("topics", FIRST, "keyframe", FIRST, topic=topic, partitions=1)
        for broker in (1, 2):
            each.change("log_dirs", FIRST, "keyframe", FIRST, broker_id=broker, path="/d0")
        each.commit(FIRST, sources=("zookeeper", "log_dirs"))
    lake.change("topics", SECOND, "update", FIRST, topic="a", partitions=3)
    lake.commit(SECOND, ("log_dirs", "/2", "unreachable", "it's \\ down"), sources=("zookeeper", "log_dirs"))
    return lake


@pytest.fixture
def reader(clusters: Any, spark: SparkSession) -> SparkReader:
    return open_spark_reader(spark, clusters.storage, ["orders", "my-billing"])


@pytest.mark.parametrize(
    "query",
    [
        "SELECT cluster, topic, partitions, changed_at FROM topics ORDER BY cluster",
        "SELECT * FROM log_dirs ORDER BY cluster, broker_id",
        "SELECT cluster, partitions, valid_to FROM topics_history ORDER BY cluster, partitions",
        "SELECT cluster, partitions FROM topics_at('2026-11-21 00:05') ORDER BY cluster",
        "SELECT count(*) FROM quotas;",
        "WITH topics AS (SELECT 1 AS x) TABLE topics",
    ],
)
def test_spark_and_duckdb_answer_over_all_clusters(reader: SparkReader, clusters: Any, query: str) -> None:
    assert (
        reader.query(query).rows == open_reader(clusters.storage, ["orders", "my-billing"]).query(query).rows
    )


def test_a_row_that_a_gap_hides_is_not_current(reader: SparkReader) -> None:
    rows = reader.query("SELECT cluster, broker_id FROM log_dirs WHERE NOT is_current").rows
    assert rows == [("orders", 2)]


def test_a_question_for_one_cluster_opens_no_file_of_another(clusters: Any, spark: SparkSession) -> None:
    register_views(spark, clusters.root, ["orders", "my-billing"])
    for view in ("topics", "topics_history", "topics_at(now())"):
        files = spark.sql(f"SELECT topic FROM {view} WHERE cluster = 'my-billing'").inputFiles()
        assert {file.split("/lake/")[1].split("/")[0] for file in files} == {"my-billing"}, view


def test_views_stay_at_their_snapshot_until_they_are_registered_again(
    clusters: Any, spark: SparkSession
) -> None:
    register_views(spark, clusters.root, ["orders"])
    clusters.change("topics", "20261121T002000Z", "update", FIRST, topic="a", partitions=9)
    clusters.commit("20261121T002000Z")
    assert spark.sql("SELECT partitions FROM topics").toArrow().to_pylist() == [{"partitions": 3}]
    register_views(spark, clusters.root, ["orders"])
    assert spark.sql("SELECT partitions FROM topics").toArrow().to_pylist() == [{"partitions": 9}]


def test_a_cluster_without_a_snapshot_has_no_views(lake: Any, spark: SparkSession) -> None:
    with pytest.raises(NoSnapshotError, match="no snapshot of orders yet"):
        register_views(spark, lake.root, ["orders"])


@pytest.mark.parametrize(
    "query",
    [
        "INSERT INTO topics SELECT * FROM topics",
        "WITH x AS (SELECT 1) INSERT INTO topics SELECT * FROM x",
        "FROM topics INSERT INTO topics SELECT *",
        "CREATE TABLE x AS SELECT 1",
        "CREATE TEMPORARY VIEW x AS SELECT 1",
        "DROP VIEW topics",
        "SET spark.sql.runSQLOnFiles = true",
        "VACUUM topics",
        "BEGIN DROP VIEW topics; END",
        "EXECUTE IMMEDIATE 'DROP VIEW topics'",
    ],
)
def test_what_is_no_query_is_refused(reader: SparkReader, query: str) -> None:
    with pytest.raises(UsageError, match="one query at a time"):
        reader.query(query)


@pytest.mark.parametrize(
    ("query", "complaint"),
    [
        ("SELECT 1; DROP VIEW topics", "no SQL that Spark understands"),
        ("SELECT 1) UNION (SELECT 2", "no SQL that Spark understands"),
        ("SELECT TRANSFORM(topic) USING 'cat' FROM topics", "runs a program"),
        (
            "SELECT 1 WHERE 'a' IN (WITH x AS (SELECT TRANSFORM(1) USING 'cat') SELECT key FROM x)",
            "a program",
        ),
        ("SELECT reflect('java.lang.System', 'exit', 3)", "Cannot resolve routine `reflect`"),
        ("SELECT builtin.java_method('java.lang.System', 'exit', 3)", "Cannot resolve routine"),
        ("SELECT IDENTIFIER('reflect')('java.lang.System', 'exit', 3)", "cannot be found"),
        ("SELECT * FROM delta.`{folder}`", "cannot be found"),
        ("SELECT * FROM parquet.`{folder}`", "cannot be found"),
        ("SELECT * FROM text.`/etc/hostname`", "cannot be found"),
        ("SELECT * FROM IDENTIFIER('delta.`{folder}`')", "cannot be found"),
        ("SELECT * FROM table_changes_by_path('{folder}', 0)", "table-valued function"),
        ("SELECT * FROM topicz", "`topicz` cannot be found"),
        ("SELECT * FROM isr_spells", "isr_spells: answered without --engine spark"),
        ("SELECT 1 / 0", "DIVIDE_BY_ZERO"),
        ("SELECT CAST(IF(id = 4999, 'x', '1') AS INT) FROM range(5000)", "CAST_INVALID_INPUT"),
        ("SELECT INTERVAL 1 MONTH", "not supported in conversion to Arrow"),
    ],
)
def test_a_query_that_reaches_out_or_is_wrong_is_refused(
    reader: SparkReader, clusters: Any, query: str, complaint: str
) -> None:
    folder = Path(clusters.root) / "orders" / "topics"
    with pytest.raises(UsageError, match=complaint):
        reader.query(query.format(folder=folder))


def test_an_answer_comes_in_parts(reader: SparkReader) -> None:
    with reader.rows("SELECT id FROM range(5000) ORDER BY id DESC") as (columns, parts):
        sizes, first = [], None
        for part in parts:
            first = first or part[0]
            sizes.append(len(part))
    assert (columns, first, sum(sizes)) == (("id",), (4999,), 5000)
    assert max(sizes) <= ROWS_AT_ONCE
