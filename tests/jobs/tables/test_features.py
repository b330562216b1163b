"""From `/feature` to a row a feature."""

from collections.abc import Callable
from typing import Any

import pytest
from pyspark.sql import DataFrame

from jobs.tables.features import from_kafka, from_zookeeper

Frame = Callable[..., DataFrame]
Rows = Callable[..., list[tuple[Any, ...]]]

V1 = '{"version":1,"status":1,"features":{"metadata.version":{"min_version_level":1,"max_version_level":7}}}'
V2 = '{"features":{"group.version":{"max_version_level":1}},"version":2,"status":0}'


def test_both_versions_are_read(znodes: Frame, rows_of: Rows) -> None:
    first = from_zookeeper(znodes({"/feature": V1}))
    assert rows_of("features", first) == [("metadata.version", 7, 1, None)]
    second = from_zookeeper(znodes({"/feature": V2}))
    assert rows_of("features", second) == [("group.version", 1, None, None)]


def test_a_real_cluster_in_zookeeper_mode_has_none(recorded: DataFrame, rows_of: Rows) -> None:
    assert rows_of("features", from_zookeeper(recorded)) == []


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (None, "the znode is not a JSON object"),
        ("", "the znode is not a JSON object"),
        ("[1]", "the znode is not a JSON object"),
        (V1.replace('"version":1', '"version":3'), "the version is not 1 or 2"),
        (V1.replace('"version":1,', ""), "the version is not 1 or 2"),
        (V1.replace('"status":1', '"status":2'), "the status is not 0 or 1"),
        (V1.replace('"status":1,', ""), "the status is not 0 or 1"),
        ('{"version":2,"status":1}', "the znode has no map of features"),
        ('{"version":2,"status":1,"features":{"a":7}}', "the znode has no map of features"),
    ],
)
def test_what_kafka_refuses_to_read_is_a_row_with_a_problem(
    data: str | None, problem: str, znodes: Frame, rows_of: Rows
) -> None:
    made = from_zookeeper(znodes({"/feature": data}))
    assert rows_of("features", made) == [("", None, None, problem)]


def test_a_feature_without_levels_is_a_problem_and_its_neighbour_is_not(znodes: Frame, rows_of: Rows) -> None:
    levels = '"a":{"max_version_level":0},"b":{"max_version_level":1},"c":{}'
    made = from_zookeeper(znodes({"/feature": f'{{"version":2,"status":1,"features":{{{levels}}}}}'}))
    problem = "the feature has no range of levels from 1 on"
    assert rows_of("features", made, "feature", "level", "problem") == [
        ("a", 0, problem),
        ("b", 1, None),
        ("c", None, problem),
    ]


@pytest.mark.parametrize("minimum", ["0", "8"])
def test_a_range_of_version_1_begins_at_1_and_does_not_end_before_it_begins(
    minimum: str, znodes: Frame, rows_of: Rows
) -> None:
    data = V1.replace('"min_version_level":1', f'"min_version_level":{minimum}')
    made = from_zookeeper(znodes({"/feature": data}))
    assert rows_of("features", made, "problem") == [("the feature has no range of levels from 1 on",)]


def test_the_admin_api_fills_the_same_columns(frame: Frame, rows_of: Rows) -> None:
    described = frame("admin_features", {"feature": "metadata.version", "level": 21, "min_level": 1})
    assert rows_of("features", from_kafka(described)) == [("metadata.version", 21, 1, None)]
