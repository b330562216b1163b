"""From landing to a committed snapshot: whole or not at all, once, and never a gap for a deletion."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from jobs import many_rows
from jobs.errors import SnapshotRefusedError
from jobs.lake.read import NoSnapshotError
from jobs.lake.sight import Sight
from jobs.landing.order import abandon
from jobs.process import pipeline, process
from jobs.settings import Settings
from jobs.storage import open_storage
from schemas.registry import tables

CLUSTER = "orders"
OLDER, FIRST = "20261121T135000Z", "20261121T140000Z"
SECOND, THIRD, FOURTH = "20261121T141000Z", "20261121T142000Z", "20261121T143000Z"
PARTITIONS = "SELECT topic, partition, leader, isr FROM partitions ORDER BY ALL"
STEPS = ("write_raw_tables", "write_typed_tables", "write_events", "write_findings", "write_whatif")

Land = Callable[..., None]
Ask = Callable[[str], list[tuple[Any, ...]]]

EVENTS = [
    ("broker-left", "broker 2"),
    ("controller-moved", "controller"),
    ("isr-shrank", "orders-0"),
    ("isr-shrank", "orders-1"),
    ("isr-shrank", "orders-2"),
    ("isr-shrank", "payments-0"),
    ("isr-shrank", "payments-1"),
    ("isr-shrank", "payments-2"),
    ("partition-offline", "audit-1"),
    ("partition-offline", "orders-1"),
    ("partition-offline", "payments-1"),
]


@pytest.fixture
def run(settings: Settings, spark: SparkSession) -> Callable[[str], None]:
    return lambda snapshot_id: process(settings, CLUSTER, snapshot_id, spark, expect=False)


@pytest.mark.usefixtures("healthy_first")
def test_a_healthy_cluster_has_its_entities_and_neither_events_nor_findings(ask: Ask) -> None:
    assert ask("SELECT topic, partitions, replication_factor FROM topics ORDER BY topic") == [
        ("audit", 2, 1),
        ("orders", 3, 3),
        ("payments", 3, 3),
    ]
    assert ask("SELECT broker_id FROM brokers ORDER BY 1") == [(1,), (2,), (3,)]
    assert ask("SELECT controller_id, epoch FROM controllers") == [(2, 1)]
    assert ask("SELECT scope, entity, name, value FROM configs") == [
        ("topic", "payments", "retention.ms", "604800000")
    ]
    assert ask("SELECT status, authority FROM snapshots") == [("complete", "zookeeper")]
    assert ask("SELECT count(*) FROM events") == [(0,)]
    assert ask("SELECT count(*) FROM findings WHERE severity <> 'info'") == [(0,)]


@pytest.mark.parametrize("many", [20_000, 1], ids=["few rows", "many rows"])
@pytest.mark.usefixtures("healthy_first")
def test_a_killed_broker_makes_events_findings_and_history(
    run: Any, land: Land, ask: Ask, monkeypatch: pytest.MonkeyPatch, many: int
) -> None:
    monkeypatch.setattr(many_rows, "MANY_ROWS", many)
    land("broker_killed", SECOND)
    run(SECOND)
    assert ask("SELECT event, subject FROM events ORDER BY ALL") == EVENTS
    assert ask("SELECT DISTINCT since_snapshot_id, snapshot_id FROM events") == [(FIRST, SECOND)]
    assert ask("SELECT subject FROM findings WHERE check_id = 'offline-partition' ORDER BY 1") == [
        ("audit-1",)
    ]
    history = "SELECT leader, isr, valid_to IS NULL FROM partitions_history WHERE topic = 'audit' AND partition = 1 ORDER BY valid_from"
    assert ask(history) == [(2, [2], False), (-1, [2], True)]


@pytest.mark.usefixtures("healthy_first")
def test_running_a_snapshot_again_changes_nothing(run: Any, settings: Settings) -> None:
    before = _files(settings.lake)
    run(FIRST)
    assert _files(settings.lake) == before


@pytest.mark.usefixtures("healthy_first")
def test_a_crash_after_every_step_shows_nothing_until_a_rerun_completes_it_once(
    run: Any, land: Land, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    land("broker_killed", SECOND)
    for step in STEPS:
        with monkeypatch.context() as patch:
            patch.setattr(pipeline, step, _crashing_after(getattr(pipeline, step)))
            with pytest.raises(RuntimeError, match="the power went"):
                run(SECOND)
        assert ask("SELECT max(snapshot_id) FROM snapshots") == [(FIRST,)]
        assert ask("SELECT broker_id FROM brokers ORDER BY 1") == [(1,), (2,), (3,)]
        assert ask("SELECT count(*) FROM events") == [(0,)]
    run(SECOND)
    assert ask("SELECT event, subject FROM events ORDER BY ALL") == EVENTS
    assert ask("SELECT count(*) FROM findings WHERE status = 'open' AND severity <> 'info'") == [(6,)]
    assert ask("SELECT snapshot_id FROM snapshots ORDER BY 1") == [(FIRST,), (SECOND,)]
    assert ask("SELECT count(*), count(DISTINCT (broker_id, path, dir_name)) FROM disk_offsets") == [(40, 20)]


@pytest.mark.usefixtures("healthy_first")
def test_a_crash_while_eras_open_is_healed_by_a_rerun_and_by_the_next_snapshot(
    run: Any, land: Land, ask: Ask, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings.history, "era_rows", 1)
    healthy = ask(PARTITIONS)
    land("broker_killed", SECOND)
    run(SECOND)
    killed = ask(PARTITIONS)
    land("healthy", THIRD)
    for step in ("write_raw_tables", "write_typed_tables", "write_findings", "write_gaps"):
        with monkeypatch.context() as patch:
            patch.setattr(pipeline, step, _crashing_after(getattr(pipeline, step)))
            with pytest.raises(RuntimeError, match="the power went"):
                run(THIRD)
        assert ask(PARTITIONS) == killed
    run(THIRD)
    assert ask(PARTITIONS) == healthy
    land("broker_killed", FOURTH)
    run(FOURTH)
    assert ask(PARTITIONS) == killed
    eras = {file.era for file in Sight(open_storage(settings.lake), CLUSTER).files(tables()["partitions"])}
    assert eras == {FIRST, f"{THIRD}.5"}
    history = ask(
        "SELECT leader, valid_to IS NULL FROM partitions_history WHERE topic = 'audit' AND partition = 1 ORDER BY valid_from"
    )
    assert history == [(2, False), (-1, False), (2, False), (-1, True)]
    assert ask("SELECT snapshot_id, count(*) FROM events GROUP BY ALL ORDER BY 1")[0] == (SECOND, len(EVENTS))


def test_a_source_that_could_not_be_read_deletes_nothing(run: Any, land: Land, ask: Ask) -> None:
    land("broker_killed", FIRST)
    run(FIRST)
    found = ask("SELECT check_id, subject, status, first_seen_at FROM findings ORDER BY ALL")
    assert found
    land("healthy", SECOND, failed=("zookeeper",), without=("log_dirs",))
    run(SECOND)
    assert ask("SELECT status FROM snapshots ORDER BY snapshot_id") == [("complete",), ("partial",)]
    assert ask(
        f"SELECT source, scope, reason FROM coverage_gaps WHERE snapshot_id = '{SECOND}' ORDER BY 1"
    ) == [
        ("log_dirs", "/", "not-collected"),
        ("zookeeper", "/", "unreachable"),
    ]
    assert ask("SELECT broker_id, is_current FROM brokers ORDER BY 1") == [(1, False), (3, False)]
    assert ask("SELECT count(*), count(*) FILTER (is_current) FROM disk_replicas") == [(20, 0)]
    assert ask("SELECT count(*) FROM events") == [(0,)]
    assert ask("SELECT check_id, subject, status, first_seen_at FROM findings ORDER BY ALL") == found


def test_a_commit_tells_what_was_not_seen_where_that_is_little(
    run: Any, land_healthy: Callable[..., None], ask: Ask
) -> None:
    for snapshot_id, unseen in ((FIRST, 0), (SECOND, 20), (THIRD, 21)):
        land_healthy(snapshot_id, {}, tuple(f"/admin/reserved/{number:02}" for number in range(unseen)))
        run(snapshot_id)
    told = "SELECT snapshot_id, len(gaps), gaps[20].scope FROM snapshots ORDER BY 1"
    assert ask(told) == [(FIRST, 0, None), (SECOND, 20, "/admin/reserved/19"), (THIRD, None, None)]
    of_second = f"WHERE snapshot_id = '{SECOND}'"
    in_row = ask(f"FROM (SELECT unnest(gaps, recursive := true) FROM snapshots {of_second}) ORDER BY ALL")
    assert in_row == ask(f"SELECT source, scope, reason, message FROM coverage_gaps {of_second} ORDER BY ALL")


@pytest.mark.usefixtures("healthy_first")
def test_an_event_spans_the_snapshots_that_could_not_see(run: Any, land: Land, ask: Ask) -> None:
    land("broker_killed", SECOND, failed=("zookeeper",))
    run(SECOND)
    assert ask("SELECT count(*) FROM events") == [(0,)]
    land("broker_killed", THIRD)
    run(THIRD)
    assert ask("SELECT event, subject FROM events ORDER BY ALL") == EVENTS
    assert ask("SELECT DISTINCT since_snapshot_id, snapshot_id FROM events") == [(FIRST, THIRD)]


@pytest.mark.usefixtures("healthy_first")
def test_an_event_spans_ever_so_many_snapshots_that_all_lacked_the_same(
    run: Any, land_healthy: Land, ask: Ask
) -> None:
    for snapshot_id in (SECOND, THIRD):
        land_healthy(snapshot_id, {}, unseen=("/brokers/topics",))
        run(snapshot_id)
    land_healthy(FOURTH, {"/brokers/topics/new": '{"version":3,"partitions":{}}'})
    run(FOURTH)
    assert ask("SELECT event, subject, since_snapshot_id FROM events") == [("topic-created", "new", FIRST)]


def test_a_source_seen_for_the_first_time_makes_no_events(run: Any, land: Land, ask: Ask) -> None:
    land("healthy", FIRST, failed=("zookeeper",))
    run(FIRST)
    land("healthy", SECOND)
    run(SECOND)
    assert ask("SELECT count(*) FROM brokers") == [(3,)]
    assert ask("SELECT count(*) FROM events") == [(0,)]


@pytest.mark.usefixtures("healthy_first")
def test_an_older_snapshot_is_refused(run: Any, land: Land) -> None:
    land("healthy", OLDER)
    with pytest.raises(SnapshotRefusedError, match="the newest one that was begun"):
        run(OLDER)


def test_an_unfinished_snapshot_is_finished_first(
    run: Any, land: Land, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    land("healthy", FIRST)
    with monkeypatch.context() as patch:
        patch.setattr(
            pipeline, "write_findings", lambda *_: (_ for _ in ()).throw(RuntimeError("the power went"))
        )
        with pytest.raises(RuntimeError, match="the power went"):
            run(FIRST)
    land("broker_killed", SECOND)
    run(SECOND)
    assert ask("SELECT snapshot_id FROM snapshots ORDER BY 1") == [(FIRST,), (SECOND,)]
    assert ask("SELECT event, subject FROM events ORDER BY ALL") == EVENTS


def test_what_an_abandoned_snapshot_wrote_is_never_seen(
    run: Any, land: Land, ask: Ask, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    land("broker_killed", FIRST)
    with monkeypatch.context() as patch:
        patch.setattr(pipeline, "commit", lambda *_: (_ for _ in ()).throw(RuntimeError("the power went")))
        with pytest.raises(RuntimeError, match="the power went"):
            run(FIRST)
    with pytest.raises(NoSnapshotError):
        ask("SELECT 1 FROM brokers")
    abandon(open_storage(settings.lake), CLUSTER, FIRST)
    land("healthy", SECOND)
    run(SECOND)
    assert ask("SELECT broker_id FROM brokers ORDER BY 1") == [(1,), (2,), (3,)]
    assert ask("SELECT count(*) FROM findings WHERE severity <> 'info'") == [(0,)]
    with pytest.raises(SnapshotRefusedError, match="the newest one that was begun"):
        run(FIRST)


@pytest.mark.usefixtures("healthy_first")
def test_what_landed_of_another_cluster_is_refused_and_nothing_of_it_is_left(
    run: Any, land: Land, land_rows: Land, ask: Ask, settings: Settings
) -> None:
    another = {"broker_id": 1, "path": "/var/kafka/d0", "cluster_id": "7a4WN04ORRCS7XRw8eKNyg"}
    land_rows("log_dirs", SECOND, {"log_dirs": [another]})
    with pytest.raises(SnapshotRefusedError, match="of the cluster with the id 7a4WN04ORRCS7XRw8eKNyg"):
        run(SECOND)
    assert not [path for path in open_storage(settings.lake).list("_landing") if SECOND in path]
    land("healthy", SECOND)
    run(SECOND)
    assert ask("SELECT snapshot_id, status FROM snapshots ORDER BY 1") == [
        (FIRST, "complete"),
        (SECOND, "complete"),
    ]


def test_nothing_landed_is_said(run: Any) -> None:
    with pytest.raises(SnapshotRefusedError, match="Nothing has landed"):
        run(FIRST)


def _crashing_after(step: Callable[..., None]) -> Callable[..., None]:
    def crash(*arguments: Any) -> None:
        step(*arguments)
        raise RuntimeError("the power went")

    return crash


def _files(lake: Path) -> dict[str, bytes]:
    tables = lake / CLUSTER
    return {str(path.relative_to(tables)): path.read_bytes() for path in tables.rglob("*") if path.is_file()}
