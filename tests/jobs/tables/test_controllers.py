"""From `/controller`, or the quorum's leader, to the one row."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from pyspark.sql import DataFrame

from jobs.tables.controllers import from_kafka, from_zookeeper

CREATED_AT = datetime(2026, 11, 21, 14, 0, tzinfo=UTC)
Frame = Callable[..., DataFrame]
Rows = Callable[..., list[tuple[Any, ...]]]

MAY_MIGRATE = {"broker_id": 1, "name": "zookeeper.metadata.migration.enable", "value": "true"}
V1 = '{"version":1,"brokerid":3,"timestamp":"1763690400000"}'
V2 = '{"version":2,"brokerid":3,"timestamp":"1763690400000","kraftControllerEpoch":-1}'


@pytest.mark.parametrize(("data", "kraft_epoch"), [(V1, None), (V2, -1), (V2.replace("-1}", "4}"), 4)])
def test_both_versions_name_the_controller(
    data: str, kraft_epoch: int | None, znodes: Frame, rows_of: Rows
) -> None:
    made = from_zookeeper(znodes({"/controller": data, "/controller_epoch": "7"}))
    assert rows_of("controllers", made) == [(3, 7, CREATED_AT, kraft_epoch, None)]


def test_without_a_controller_there_is_no_row(znodes: Frame, rows_of: Rows) -> None:
    made = from_zookeeper(znodes({"/controller_epoch": "7", "/controllers": V2}))
    assert rows_of("controllers", made) == []


def test_an_epoch_that_is_not_there_is_unknown(znodes: Frame, rows_of: Rows) -> None:
    made = from_zookeeper(znodes({"/controller": V2}))
    assert rows_of("controllers", made, "controller_id", "epoch", "problem") == [(3, None, None)]


@pytest.mark.parametrize("epoch", ["seven", "", "99999999999", None])
def test_an_epoch_that_is_no_number_is_a_problem(epoch: str | None, znodes: Frame, rows_of: Rows) -> None:
    made = from_zookeeper(znodes({"/controller": V2, "/controller_epoch": epoch}))
    assert rows_of("controllers", made, "controller_id", "epoch", "problem") == [
        (3, None, "/controller_epoch is not a number")
    ]


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        ("garbage", "the znode is not a JSON object"),
        ("3", "the znode is not a JSON object"),
        ('{"version":2}', "/controller names no brokerid"),
        ('{"brokerid":"three"}', "/controller names no brokerid"),
    ],
)
def test_a_malformed_controller_is_a_row_with_a_problem(
    data: str, problem: str, znodes: Frame, rows_of: Rows
) -> None:
    made = from_zookeeper(znodes({"/controller": data, "/controller_epoch": "7"}))
    assert rows_of("controllers", made) == [(None, 7, CREATED_AT, None, problem)]


def test_the_leader_of_the_quorum_fills_the_same_columns(frame: Frame, rows_of: Rows) -> None:
    told = frame("quorum", {"leader_id": 3000, "leader_epoch": 12})
    described = frame("admin_cluster", {"cluster_id": "MkU3OEVBNTcwNTJENDM2Qg", "controller_id": None})
    made = from_kafka(told, described, frame("broker_settings"))
    assert rows_of("controllers", made) == [(3000, 12, None, None, None)]


def test_a_cluster_on_zookeeper_says_over_the_admin_api_who_its_controller_is(
    frame: Frame, rows_of: Rows
) -> None:
    for controller_id, rows in ((3, [(3, *[None] * 4)]), (-1, [])):
        described = frame("admin_cluster", {"controller_id": controller_id})
        assert (
            rows_of("controllers", from_kafka(frame("quorum"), described, frame("broker_settings"))) == rows
        )


def test_during_a_migration_the_quorum_says_more_than_the_brokers(frame: Frame, rows_of: Rows) -> None:
    told = frame("quorum", {"leader_id": 3000, "leader_epoch": 12})
    made = from_kafka(
        told, frame("admin_cluster", {"controller_id": 3000}), frame("broker_settings", MAY_MIGRATE)
    )
    assert rows_of("controllers", made) == [(3000, 12, None, None, None)]


@pytest.mark.parametrize(
    ("setting", "controller"), [(MAY_MIGRATE, None), ({**MAY_MIGRATE, "value": "false"}, 2)]
)
def test_whom_brokers_name_that_may_migrate_is_any_broker(
    setting: dict[str, Any], controller: int | None, frame: Frame, rows_of: Rows
) -> None:
    described = frame("admin_cluster", {"controller_id": 2})
    made = from_kafka(frame("quorum"), described, frame("broker_settings", setting))
    assert rows_of("controllers", made) == [(controller, *[None] * 4)]
