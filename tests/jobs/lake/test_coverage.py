"""Which rows a coverage gap hides. SQL and Python answer every case here, and alike."""

from collections.abc import Collection

import duckdb
import pytest

from jobs.lake.coverage import covers, gaps_over, is_under, is_unseen, overlap, scope_of
from schemas.entities import BROKERS, CONFIGS, PARTITIONS
from schemas.judgement import FINDINGS
from schemas.log_dirs import DISK_REPLICAS
from schemas.registry import derived
from schemas.table import Table
from schemas.zookeeper import ZNODES

DEEP = "/" + "/".join(f"level{depth}" for depth in range(300))


def hidden(gaps: set[str], *scopes: str) -> list[str]:
    """Those of the scopes that a gap hides."""
    by_sql = duckdb.execute(
        f"SELECT scope FROM (SELECT unnest($1) AS scope) WHERE {is_under('scope', gaps)}", [list(scopes)]
    ).fetchall()
    assert [scope for (scope,) in by_sql] == [scope for scope in scopes if covers(gaps, scope)]
    return [scope for (scope,) in by_sql]


def scope(table: Table, source: str, row: str) -> str | None:
    ((found,),) = duckdb.execute(f"SELECT {scope_of(table, source)} FROM (SELECT {row}) AS state").fetchall()
    return str(found)


def test_without_gaps_nothing_is_hidden() -> None:
    assert hidden(set(), "/", "/brokers/ids/1") == []


def test_a_gap_at_the_root_hides_everything() -> None:
    assert hidden({"/", "/a"}, "/", "/brokers/ids/1", DEEP) == ["/", "/brokers/ids/1", DEEP]


def test_a_gap_hides_its_own_place_and_all_below_but_no_namesake() -> None:
    scopes = ("/", "/a", "/a/b", "/a/b/", "/a/b/c/d", "/a/bc", "/a/b c", "/x/a/b", "/A/b", "/b")
    assert hidden({"/a/b"}, *scopes) == ["/a/b", "/a/b/", "/a/b/c/d"]


def test_a_gap_of_one_letter_hides_no_longer_name() -> None:
    assert hidden({"/a"}, "/a", "/ab", "/a/b", "/b/a") == ["/a", "/a/b"]


def test_a_deep_scope_is_hidden_by_any_of_its_ancestors() -> None:
    assert hidden({"/level0/level1/level2"}, DEEP) == [DEEP]
    assert hidden({DEEP}, DEEP, DEEP + "0", DEEP.rpartition("/")[0]) == [DEEP]


def test_names_that_mean_something_to_sql_or_regular_expressions_are_names() -> None:
    assert hidden({"/t/o'r.*"}, "/t/o'r.*", "/t/o'rders", "/t/o'r.*/0") == ["/t/o'r.*", "/t/o'r.*/0"]


def test_a_row_that_does_not_say_where_it_stands_was_not_seen_where_there_is_any_gap() -> None:
    assert covers({"/a"}, None)
    assert not covers(set(), None)
    assert duckdb.execute(f"SELECT {is_under('NULL', {'/a'})}").fetchall() == [(True,)]
    assert duckdb.execute(f"SELECT {is_under('NULL', set())}").fetchall() == [(False,)]


def test_many_gaps_each_hide_their_own() -> None:
    gaps = {f"/brokers/topics/t{number}" for number in range(2_000)}
    scopes = ("/brokers/topics/t1999/partitions/0", "/brokers/topics/t2000", "/brokers/topics")
    assert hidden(gaps, *scopes) == ["/brokers/topics/t1999/partitions/0"]


def test_a_gap_covers_what_is_at_it_or_below() -> None:
    assert covers({"/"}, "/admin/delete_topics")
    assert covers({"/consumers", "/admin"}, "/admin/delete_topics")
    assert covers({"/admin/delete_topics"}, "/admin/delete_topics")
    assert not covers({"/admin/delete", "/admin/delete_topics/orders"}, "/admin/delete_topics")
    assert not covers(set(), "/admin/delete_topics")


def test_a_row_stands_where_its_template_says() -> None:
    assert scope(BROKERS, "zookeeper", "7 AS broker_id") == "/brokers/ids/7"
    assert scope(BROKERS, "kafka", "7 AS broker_id") == "/cluster/brokers/7"
    assert scope(ZNODES, "zookeeper", "'/a' AS path") == "/a"
    partition = "'orders' AS topic, 3 AS partition"
    assert scope(PARTITIONS, "zookeeper", partition) == "/brokers/topics/orders/partitions/3/state"
    config = "'topic' AS scope, 'orders' AS entity"
    assert scope(CONFIGS, "zookeeper", config) == "/config/topics/orders"
    replica = "1 AS broker_id, '/var/kafka/d0' AS path, 'orders-0' AS dir_name"
    assert scope(DISK_REPLICAS, "log_dirs", replica) == "/1/var/kafka/d0/orders-0"


@pytest.mark.parametrize(
    ("table", "source", "gaps", "expected"),
    [
        (
            BROKERS,
            "zookeeper",
            {"zookeeper": {"/brokers/ids/8", "/config"}, "kafka": {"/"}},
            {"/brokers/ids/8"},
        ),
        (BROKERS, "zookeeper", {"zookeeper": {"/brokers/idle", "/config"}}, set()),
        (BROKERS, "zookeeper", {"zookeeper": {"/"}}, {"/"}),
        (BROKERS, "kafka", {"kafka": {"/configs"}}, {"/configs"}),
        (ZNODES, "zookeeper", {"zookeeper": {"/config"}}, {"/config"}),
        (BROKERS, "zookeeper", {"zookeeper": ()}, set()),
        (BROKERS, "zookeeper", {"kafka": ()}, ("/",)),
        (BROKERS, "log_dirs", {"log_dirs": ()}, ("/",)),
        (BROKERS, "", {}, ("/",)),
        (FINDINGS, "zookeeper", {"zookeeper": {"/"}}, ()),
    ],
    ids=[
        "the gaps of its source that are where its rows are",
        "no gap is where its rows are",
        "a gap is above where its rows are",
        "only in the tree it is known where its rows are",
        "the rows of the whole tree are everywhere",
        "no gap",
        "its source was not to be read",
        "the table has no rows from that source",
        "no source is followed",
        "no gap can hide a finding",
    ],
)
def test_a_table_is_hidden_by_the_gaps_of_the_source_it_is_from(
    table: Table,
    source: str,
    gaps: dict[str, Collection[str]],
    expected: Collection[str],
) -> None:
    over = gaps_over(table, source, gaps)
    assert over == expected
    row = f"SELECT {is_unseen(table, source, gaps)} FROM (SELECT 7 AS broker_id, '/a' AS path) AS state"
    assert duckdb.execute(row).fetchall() == [("/" in over,)]


def test_every_row_that_a_table_takes_from_the_tree_stands_in_one_of_its_subtrees() -> None:
    for table in derived():
        template = table.scopes.get("zookeeper", "{znode}")
        place = template.partition("{")[0]
        assert not place or any(overlap(place, subtree) for subtree in table.subtrees), table.name
        assert table.subtrees or "zookeeper" not in table.scopes, table.name
