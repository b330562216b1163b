"""What the writer does with a table that is there already."""

from dataclasses import replace
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest
from pyspark.sql import SparkSession

from jobs.lake.ddl import create_table_ddl
from jobs.lake.files import stored_files, stored_shape
from jobs.lake.write import DeltaTables
from jobs.storage import open_storage
from jobs.upkeep.tidy import tidy
from schemas.table import Column, Kind, Table

OLD = Table(
    name="things",
    kind=Kind.STATE,
    meaning="things",
    key=("thing",),
    columns=(Column("thing", "STRING", "name", required=True), Column("problem", "STRING", "problem")),
)
NEW = replace(
    OLD, columns=(OLD.columns[0], Column("colours", "ARRAY<STRING>", "its colours"), OLD.columns[1])
)
LOG = Table("log", Kind.LOG, "what happened", (Column("subject", "STRING", "to whom"),), key=())
FIRST, SECOND = "20261121T140000Z", "20261121T141000Z"
ROW = (
    "SELECT 'orders' AS cluster, {} AS thing, {}NULL AS problem, 'create' AS op, "
    "TIMESTAMP'2026-11-21 14:00:00' AS changed_at, '{id}' AS snapshot_id, '{id}' AS written_by, "
    "0 AS generation, 'e' AS era"
)


def test_a_column_that_is_younger_than_the_table_is_null_in_its_rows_and_comes_with_the_next(
    spark: SparkSession, tmp_path: Path
) -> None:
    first, second = (
        DeltaTables(spark, open_storage(tmp_path), "orders", id_, id_) for id_ in (FIRST, SECOND)
    )
    first.append(OLD, spark.sql(ROW.format("'a'", "", id=FIRST)))
    assert _things(first) == [("a", None)]
    second.append(NEW, spark.sql(ROW.format("'b'", "array('red') AS colours, ", id=SECOND)))
    assert _things(first, second) == [("a", None), ("b", ["red"])]


def test_a_struct_that_is_younger_than_the_table_has_its_new_member_in_the_next_rows_only(
    spark: SparkSession, tmp_path: Path
) -> None:
    old = replace(LOG, columns=(Column("whom", "ARRAY<STRUCT<name: STRING>>", "to whom"),))
    new = replace(LOG, columns=(Column("whom", "ARRAY<STRUCT<name: STRING, rack: STRING>>", "to whom"),))
    first, second = (
        DeltaTables(spark, open_storage(tmp_path), "orders", id_, id_) for id_ in (FIRST, SECOND)
    )
    first.append_log(old, first.frame(old, [([{"name": "a"}],)]))
    second.append_log(new, second.frame(new, [([{"name": "b", "rack": "r1"}],)]))
    assert _written(first, new, FIRST)["whom"].to_pylist() == [[{"name": "a", "rack": None}]]
    assert _written(second, new, SECOND)["whom"].to_pylist() == [[{"name": "b", "rack": "r1"}]]


def test_each_attempt_at_a_snapshot_stamps_its_rows(spark: SparkSession, tmp_path: Path) -> None:
    storage, again = open_storage(tmp_path), f"{FIRST}.2"
    first, second = (DeltaTables(spark, storage, "orders", FIRST, attempt) for attempt in (FIRST, again))
    for delta, subject in ((first, "a"), (second, "b")):
        delta.append_log(LOG, delta.frame(LOG, [(subject,)]))
    for delta, expected in ((first, ("a", FIRST)), (second, ("b", again))):
        (row,) = _written(second, LOG, delta.written_by).to_pylist()
        assert (row["subject"], row["written_by"]) == expected
        assert row["snapshot_id"] == FIRST


def test_what_one_snapshot_wrote_is_read_without_the_files_of_others(
    spark: SparkSession, tmp_path: Path
) -> None:
    first, second = (
        DeltaTables(spark, open_storage(tmp_path), "orders", id_, id_) for id_ in (FIRST, SECOND)
    )
    first.append(NEW, spark.sql(ROW.format("'a'", "array('red') AS colours, ", id=FIRST)))
    (of_first,) = stored_files(open_storage(tmp_path), "orders", "things")
    second.append(NEW, spark.sql(ROW.format("'b'", "array('blue') AS colours, ", id=SECOND)))
    Path(of_first.here).unlink()
    assert _things(second) == [("b", ["blue"])]
    with pytest.raises(duckdb.IOException):
        _things(first)


def test_a_table_of_an_older_release_is_given_the_properties_of_this_one_with_the_next_rows(
    spark: SparkSession, tmp_path: Path
) -> None:
    delta = DeltaTables(spark, open_storage(tmp_path), "orders", FIRST, FIRST)
    properties = (
        "'delta.enableInCommitTimestamps' = 'true', 'delta.logRetentionDuration' = 'interval 30 days'"
    )
    ddl = create_table_ddl(LOG, delta.path(LOG)).partition("TBLPROPERTIES")[0]
    spark.sql(f"{ddl} TBLPROPERTIES ({properties})")
    for number in range(8):
        delta.append_log(LOG, delta.frame(LOG, [(str(number),)]))
    tidied = tidy(delta.storage, "orders", "log")
    assert tidied
    assert (tidied.files_before, tidied.files) == (8, 1)
    delta.append_log(LOG, delta.frame(LOG, [("8",)]))
    assert sorted(_written(delta, LOG, FIRST)["subject"].to_pylist()) == [str(number) for number in range(9)]
    assert spark.read.format("delta").load(delta.path(LOG)).count() == 9
    stored = stored_shape(delta.storage, "orders", "log")
    assert stored
    assert stored.properties["delta.logRetentionDuration"] == "interval 1 days"


def test_a_table_whose_creation_was_cut_off_is_created_again(spark: SparkSession, tmp_path: Path) -> None:
    delta = DeltaTables(spark, open_storage(tmp_path), "orders", FIRST, FIRST)
    log = tmp_path / "orders" / "things" / "_delta_log"
    (log / "_staged_commits").mkdir(parents=True)
    (log / ".00000000000000000000.json.0123.tmp").write_text("{")
    assert delta.before(OLD).num_rows == 0
    assert stored_files(open_storage(tmp_path), "orders", "things") == []
    delta.append(OLD, spark.sql(ROW.format("'a'", "", id=FIRST)))
    assert _things(delta) == [("a", None)]
    properties = spark.sql(f"SHOW TBLPROPERTIES delta.`{delta.path(OLD)}`").collect()
    assert ("delta.logRetentionDuration", "interval 1 days") in [tuple(row) for row in properties]


def _things(*written_by: DeltaTables) -> list[tuple[str, list[str] | None]]:
    """What these snapshots wrote, one after the other."""
    return [
        (row["thing"], row["colours"])
        for delta in written_by
        for row in _written(delta, NEW, delta.written_by).to_pylist()
    ]


def _written(delta: DeltaTables, table: Table, written_by: str) -> pa.Table:
    """The rows of a table that one attempt wrote."""
    return delta.duckdb.sql(delta.written(table, written_by)).to_arrow_table()
