"""Instants travel as UTC, also in the two hours of the night in which the clock shows the same time twice."""

import json
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from pyspark.sql import SparkSession

from expectations.validate import validate
from jobs.lake.arrow import arrow_table
from jobs.lake.write import DeltaTables
from jobs.process import process
from jobs.settings import Settings
from jobs.storage import open_storage
from schemas.access import DELEGATION_TOKENS

CLUSTER = "orders"
MIDNIGHT, SUMMER, WINTER = "20261024T223000Z", "20261025T003000Z", "20261025T013000Z"
"""Half past midnight, and then half past two twice: in summer time, and an hour later in winter time."""
ID = "vV5u0_NiSR-iJzmV8S97dg"

Ask = Callable[[str], list[tuple[Any, ...]]]


@pytest.fixture
def in_berlin(spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Python, the JVM and the Spark session are in a zone with daylight saving."""
    zones = spark.sparkContext._gateway.jvm.java.util.TimeZone
    session, machine = spark.conf.get("spark.sql.session.timeZone"), zones.getDefault()
    monkeypatch.setenv("TZ", "Europe/Berlin")
    time.tzset()
    zones.setDefault(zones.getTimeZone("Europe/Berlin"))
    spark.conf.set("spark.sql.session.timeZone", "Europe/Berlin")
    yield
    spark.conf.set("spark.sql.session.timeZone", session)
    zones.setDefault(machine)
    monkeypatch.undo()
    time.tzset()


def captured(hour: int, minute: int = 30, day: int = 25) -> datetime:
    return datetime(2026, 10, day, hour, minute, 5, tzinfo=UTC)


def tree(written: str, broker: int) -> dict[str, Any]:
    """A topic without an id that was written at that time, and a broker that registered then."""
    data = {
        "/brokers/topics/orders": '{"version":2,"partitions":{"0":[1]}}',
        f"/brokers/ids/{broker}": '{"version":5,"host":"b","port":1,"jmx_port":-1,"endpoints":["PLAINTEXT://b:1"]}',
    }
    zxids = dict.fromkeys(("czxid", "mzxid", "pzxid", "version", "cversion", "aversion"), 7)
    stat = zxids | dict.fromkeys(("ephemeral_owner", "data_length", "num_children"), 0)
    times = dict.fromkeys(("ctime", "mtime"), written)
    return {"znodes": [stat | times | {"path": p, "data": d, "encoding": "utf-8"} for p, d in data.items()]}


@pytest.mark.usefixtures("in_berlin")
def test_an_instant_is_read_as_it_was_written_in_both_hours(
    settings: Settings, spark: SparkSession, land_rows: Callable[..., None], ask: Ask
) -> None:
    replica = {"broker_id": 1, "path": "/d0", "dir_name": "orders-0", "kind": "current", "topic": "orders"}
    disks = {
        "disk_replicas": [replica | {"partition": 0, "topic_id": ID}],
        "disk_offsets": [{"broker_id": 1, "path": "/d0", "dir_name": "orders-0", "high_watermark": 7}],
    }
    for snapshot_id, written, broker in (
        (MIDNIGHT, "2026-10-24T22:10:00+00:00", 1),
        (SUMMER, "2026-10-25T00:10:00+00:00", 2),
        (WINTER, "2026-10-25T01:10:00+00:00", 3),
    ):
        land_rows("zookeeper", snapshot_id, tree(written, broker))
        land_rows("log_dirs", snapshot_id, disks)
        process(settings, CLUSTER, snapshot_id, spark, expect=False)
    assert ask("SELECT captured_at FROM snapshots ORDER BY snapshot_id") == [
        (captured(22, day=24),),
        (captured(0),),
        (captured(1),),
    ]
    assert ask("SELECT modified_at, valid_from, valid_to FROM topics_history ORDER BY valid_from") == [
        (datetime(2026, 10, 24, 22, 10, tzinfo=UTC), captured(22, day=24), captured(0)),
        (datetime(2026, 10, 25, 0, 10, tzinfo=UTC), captured(0), captured(1)),
        (datetime(2026, 10, 25, 1, 10, tzinfo=UTC), captured(1), None),
    ]
    assert ask(
        "SELECT subject, captured_at, since_at FROM events WHERE event = 'broker-joined' ORDER BY 1"
    ) == [
        ("broker 2", captured(0), captured(22, day=24)),
        ("broker 3", captured(1), captured(0)),
    ]
    assert ask("SELECT captured_at FROM disk_offsets ORDER BY 1") == [
        (captured(22, day=24),),
        (captured(0),),
        (captured(1),),
    ]
    ((first_seen_at, changed_at, evidence),) = ask(
        "SELECT first_seen_at, changed_at, evidence FROM findings WHERE check_id = 'topic-id-latent'"
    )
    assert (first_seen_at, changed_at) == (captured(22, day=24), captured(1))
    assert json.loads(evidence)["znode_modified_at"] == "2026-10-25T01:10:00.000Z"
    days = [path for path in open_storage(settings.lake).list(f"{CLUSTER}/disk_offsets") if "day=" in path]
    assert sorted(path.partition("day=")[2].partition("/")[0] for path in days) == [
        "2026-10-24",
        "2026-10-25",
        "2026-10-25",
    ]


@pytest.mark.usefixtures("in_berlin")
def test_the_order_of_two_instants_is_the_same_for_the_expectations_in_both_hours(
    settings: Settings, spark: SparkSession
) -> None:
    delta = DeltaTables(spark, open_storage(settings.lake), CLUSTER, SUMMER, SUMMER)
    names = DELEGATION_TOKENS.column_names
    for issued_at, expires_at, is_fine in (
        (captured(0, 40), captured(1, 20), True),
        (captured(1, 20), captured(0, 40), False),
    ):
        token = {"token": "t", "issued_at": issued_at, "expires_at": expires_at}
        rows = arrow_table(DELEGATION_TOKENS.columns, [tuple(token.get(name) for name in names)])
        results = validate({DELEGATION_TOKENS.name: delta.local(rows)})
        told = {expectation: success for _, expectation, _, _, success, _ in results}
        assert told["expires_at is not before issued_at"] is is_fine
