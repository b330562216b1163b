"""Since when something is so, asked of a view instead of written at night."""

import re
from datetime import UTC, datetime
from typing import Any

import duckdb
import pytest

from jobs.lake.duckdb_sql import duckdb_type
from jobs.lake.read import open_reader
from jobs.timelines.parts.timeline import all_timelines
from schemas.entities import PARTITIONS

SNAPSHOTS = FIRST, SECOND, THIRD, FOURTH, FIFTH = [f"20261121T14{minute}00Z" for minute in range(10, 60, 10)]
AT_FIRST, AT_SECOND, AT_THIRD, AT_FOURTH, AT_FIFTH = (
    datetime(2026, 11, 21, 14, minute, 5, tzinfo=UTC) for minute in range(10, 60, 10)
)


class Partitions:
    """Writes the versions of partitions, each a leader and an ISR, snapshot by snapshot."""

    def __init__(self, lake: Any) -> None:
        self.lake = lake

    def are(self, topic: str, partition: int, replicas: list[int], **versions: Any) -> None:
        """`versions` are by the names of snapshots: (leader, isr), or None when it is gone then."""
        op = "keyframe"
        for snapshot_id in SNAPSHOTS:
            if snapshot_id not in versions:
                continue
            leader, isr, *more = versions[snapshot_id] or (None, None)
            op = op if versions[snapshot_id] else "delete"
            values = {"replicas": replicas, "leader": leader, "isr": isr, **(more[0] if more else {})}
            self.lake.change("partitions", snapshot_id, op, FIRST, topic=topic, partition=partition, **values)
            op = "update" if versions[snapshot_id] else "create"


@pytest.fixture
def partitions(lake: Any) -> Partitions:
    for snapshot_id in SNAPSHOTS:
        lake.commit(snapshot_id)
    return Partitions(lake)


def ask(lake: Any, sql: str, at: Any = None) -> list[tuple[Any, ...]]:
    return open_reader(lake.storage, ["orders"], at).query(sql).rows


def test_a_spell_goes_on_while_other_things_change_and_ends_when_the_broker_is_back(
    lake: Any, partitions: Partitions
) -> None:
    partitions.are(
        "orders",
        0,
        [1, 2, 3],
        **{FIRST: (1, [1, 2, 3]), SECOND: (1, [1, 3]), THIRD: (3, [3]), FOURTH: (3, [3, 2]), FIFTH: (3, [3])},
    )
    asked = "SELECT broker_id, out_since, out_until FROM isr_spells ORDER BY ALL"
    assert ask(lake, asked) == [
        (1, AT_THIRD, None),
        (2, AT_SECOND, AT_FOURTH),
        (2, AT_FIFTH, None),
    ]
    assert ask(lake, asked, THIRD) == [(1, AT_THIRD, None), (2, AT_SECOND, None)]


def test_a_spell_ends_with_the_partition_and_a_new_one_opens_when_it_comes_back(
    lake: Any, partitions: Partitions
) -> None:
    partitions.are(
        "orders",
        0,
        [1, 2],
        **{FIRST: (1, [1]), SECOND: None, THIRD: (1, [1]), FOURTH: (2, [2], {"replicas": [2]})},
    )
    assert ask(lake, "SELECT broker_id, out_since, out_until FROM isr_spells ORDER BY ALL") == [
        (2, AT_FIRST, AT_SECOND),
        (2, AT_THIRD, AT_FOURTH),
    ]


def test_a_replica_that_is_being_added_and_an_isr_that_is_not_known_are_no_spell(
    lake: Any, partitions: Partitions
) -> None:
    partitions.are("orders", 0, [1, 2], **{FIRST: (1, [1], {"adding": [2]}), SECOND: (1, [1, 2])})
    partitions.are("orders", 1, [1, 2], **{FIRST: (None, None)})
    assert ask(lake, "SELECT * FROM isr_spells") == []
    assert ask(lake, "SELECT * FROM under_replicated_spells") == []
    assert ask(lake, "SELECT * FROM offline_spells") == []


def test_a_partition_is_offline_or_under_replicated_never_both(lake: Any, partitions: Partitions) -> None:
    partitions.are(
        "orders",
        0,
        [1, 2],
        **{FIRST: (1, [1, 2]), SECOND: (1, [1]), THIRD: (-1, [1]), FOURTH: (1, [1]), FIFTH: (1, [2, 1])},
    )
    assert ask(lake, "SELECT topic, partition, offline_since, offline_until FROM offline_spells") == [
        ("orders", 0, AT_THIRD, AT_FOURTH)
    ]
    assert ask(lake, "SELECT lacking_since, lacking_until FROM under_replicated_spells ORDER BY ALL") == [
        (AT_SECOND, AT_THIRD),
        (AT_FOURTH, AT_FIFTH),
    ]


def test_leader_counts_are_steps_with_a_row_for_each_change_of_the_number(
    lake: Any, partitions: Partitions
) -> None:
    partitions.are("orders", 0, [1, 2], **{FIRST: (1, [1, 2]), SECOND: (2, [2]), FOURTH: (1, [1])})
    partitions.are("orders", 1, [1, 2], **{FIRST: (1, [1, 2]), THIRD: (1, [1]), FOURTH: None})
    partitions.are("orders", 2, [2, 1], **{SECOND: (-1, [2]), THIRD: (2, [2])})
    assert ask(lake, "SELECT broker_id, leads, valid_from, valid_to FROM leader_counts ORDER BY ALL") == [
        (1, 1, AT_SECOND, None),
        (1, 2, AT_FIRST, AT_SECOND),
        (2, 1, AT_SECOND, AT_THIRD),
        (2, 1, AT_FOURTH, None),
        (2, 2, AT_THIRD, AT_FOURTH),
    ]


def test_timelines_of_several_clusters_are_told_apart(lake: Any, partitions: Partitions) -> None:
    partitions.are("orders", 0, [1, 2], **{FIRST: (1, [1])})
    other = type(lake)(lake.root, "billing")
    other.commit(FIRST)
    other.commit(SECOND)
    Partitions(other).are("orders", 0, [1, 2], **{SECOND: (1, [1])})
    both = open_reader(lake.storage, ["orders", "billing"])
    assert both.query("SELECT cluster, out_since FROM isr_spells ORDER BY ALL").rows == [
        ("billing", AT_SECOND),
        ("orders", AT_FIRST),
    ]
    counts = both.query("SELECT cluster, leads FROM leader_counts ORDER BY ALL").rows
    assert counts == [("billing", 1), ("orders", 1)]


@pytest.mark.parametrize("name", all_timelines())
def test_a_view_has_the_columns_that_it_declares_and_is_listed(
    lake: Any, partitions: Partitions, name: str
) -> None:
    partitions.are("orders", 0, [1, 2], **{FIRST: (1, [1])})
    declared = [("cluster", "VARCHAR")]
    declared += [(column.name, duckdb_type(column.type)) for column in all_timelines()[name].columns]
    described = [
        (column, of.replace("TIMESTAMP WITH TIME ZONE", "TIMESTAMPTZ"))
        for column, of, *_ in ask(lake, f"DESCRIBE {name}")
    ]
    assert described == declared
    assert (name,) in ask(lake, "SHOW TABLES")


@pytest.mark.parametrize("name", ["isr_spells", "offline_spells", "under_replicated_spells"])
def test_a_filter_on_a_partition_is_applied_to_the_history_before_anything_else(name: str) -> None:
    with duckdb.connect() as connection:
        columns = ", ".join(f'"{each.name}" {duckdb_type(each.type)}' for each in PARTITIONS.columns)
        connection.execute(
            f"CREATE TABLE partitions_history (cluster VARCHAR, {columns}, valid_from TIMESTAMPTZ, valid_to TIMESTAMPTZ)"
        )
        connection.execute(
            "INSERT INTO partitions_history BY NAME SELECT 'c' || i AS cluster, 'orders' AS topic, i AS partition, "
            "i % 2 * 2 - 1 AS leader, [1] AS isr, [1, 2] AS replicas, now() AS valid_from FROM range(1000) AS r(i)"
        )
        connection.execute(f"CREATE VIEW {name} AS {all_timelines()[name].sql}")
        query = f"EXPLAIN SELECT * FROM {name} WHERE cluster = 'c7' AND partition = 7"
        ((_, plan),) = connection.execute(query).fetchall()
    (filters,) = re.findall("Filters: (.*)", plan[plan.index("Seq Scan") :])
    assert "cluster = 'c7'" in filters
    assert "partition = 7" in filters
