"""`varve rebuild`: the past that is made again of the raw tables is the one that snapshot after snapshot made."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime
from functools import partial
from importlib import import_module, metadata
from random import Random
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from jobs.errors import SnapshotRefusedError
from jobs.lake.files import stored_files
from jobs.process import pipeline, process, version
from jobs.process.version import code_version
from jobs.rebuild import rebuild, replay
from jobs.settings import Settings
from jobs.storage import open_storage
from jobs.tables import brokers
from jobs.upkeep.maintain import maintain
from schemas.registry import tables
from schemas.table import Kind
from tests.jobs.process.whole_lake import everything

CLUSTER = "orders"
OLDER, FIRST = "20261121T135000Z", "20261121T140000Z"
IDS = [f"20261121T{14 + number // 6}{number % 6}000Z" for number in range(10)]
SECOND, THIRD, FOURTH = IDS[1:4]
EPOCHS = "SELECT DISTINCT epoch = (SELECT czxid FROM znodes_history WHERE path = '/brokers/ids/' || broker_id LIMIT 1) FROM brokers_history"
RAW = f"SELECT * EXCLUDE (valid_to) FROM znodes_history WHERE snapshot_id <= '{THIRD}' ORDER BY ALL"
rebuilding = import_module("jobs.rebuild.rebuild")

Ask = Callable[[str], list[tuple[Any, ...]]]
Land = Callable[..., None]
Run = Callable[[str], None]


@pytest.fixture
def run(settings: Settings, spark: SparkSession) -> Run:
    return lambda snapshot_id: process(settings, CLUSTER, snapshot_id, spark, expect=False)


@pytest.fixture
def answers(settings: Settings) -> Callable[[], dict[str, list[tuple[Any, ...]]]]:
    """What the lake answers to every question but when its snapshots were committed."""
    return lambda: everything(settings)


@pytest.fixture
def old_release(monkeypatch: pytest.MonkeyPatch) -> Callable[[], AbstractContextManager[None]]:
    """A release that took a broker's epoch for another number."""
    right = brokers.from_zookeeper

    def wrong(znodes: DataFrame) -> DataFrame:
        return right(znodes).withColumn("epoch", F.col("epoch") + F.size("endpoints") + 7)

    @contextmanager
    def installed() -> Iterator[None]:
        with monkeypatch.context() as patch:
            patch.setattr(brokers, "from_zookeeper", wrong)
            patch.setattr(version, "version", lambda name: f"{metadata.version(name)}.old")
            code_version.cache_clear()
            yield
        code_version.cache_clear()

    return installed


@pytest.mark.parametrize(
    ("seed", "snapshots"),
    [(20, 6), *(pytest.param(seed, 9, marks=pytest.mark.soak) for seed in (1, 2, 3, 4, 5, 6, 7, 8, 10, 12))],
)
def test_whatever_the_history_was_the_rebuilt_lake_answers_as_the_one_before(
    seed: int,
    snapshots: int,
    run: Run,
    land: Land,
    land_healthy: Land,
    answers: Any,
    ask: Ask,
    settings: Settings,
    spark: SparkSession,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    random = Random(seed)
    topic = {"/brokers/topics/new": '{"version":3,"partitions":{"0":[1]}}'}
    pending = {"/admin/delete_topics/orders": ""}
    land_again = partial(_land, land, "healthy")
    for snapshot_id in IDS[:snapshots]:
        unseen = random.choice([(), (), ("/brokers/topics/orders",), ("/controller_epoch", "/config")])
        failed, without = random.choice([((), ()), (("zookeeper",), ()), ((), ("log_dirs",))])
        recorded, brokers = random.choice(["healthy", "broker_killed"]), random.choice([(1, 2, 3), (1, 2)])
        land_again = random.choice(
            [
                land_again,
                land_again,
                partial(
                    land_healthy, more=random.choice([{}, topic, pending, topic | pending]), unseen=unseen
                ),
                partial(_land, land, recorded, without=without, failed=failed, brokers=brokers),
            ]
        )
        land_again(snapshot_id)
        if random.random() < 0.3:
            _dies_first(run, snapshot_id, monkeypatch)
        run(snapshot_id)
        if random.random() < 0.3:
            run(snapshot_id)
    land("healthy", OLDER)
    with pytest.raises(SnapshotRefusedError):
        run(OLDER)
    loaded = answers()
    assert loaded["events"]
    assert loaded["findings_history"]
    assert rebuild(settings, CLUSTER, spark=spark).snapshots == snapshots
    assert answers() == loaded
    _every_state_is_whole(ask)
    land("broker_killed", IDS[snapshots])
    run(IDS[snapshots])
    assert ask("SELECT count(DISTINCT snapshot_id) FROM snapshots") == [(snapshots + 1,)]
    _every_state_is_whole(ask)


def _land(land: Land, recorded: str, snapshot_id: str, **options: Any) -> None:
    land(recorded, snapshot_id, **options)


def _dies_first(run: Run, snapshot_id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(pipeline, "commit", lambda *_: (_ for _ in ()).throw(RuntimeError("the power went")))
        with pytest.raises(RuntimeError, match="the power went"):
            run(snapshot_id)


def _every_state_is_whole(ask: Ask) -> None:
    """One open row for each key that lives, and none that begins before the one before it ends."""
    for name, table in tables().items():
        if table.kind is Kind.STATE:
            key = ", ".join(f'"{column}"' for column in table.key) or "true"
            living, opened = (
                f"SELECT {key} FROM {name}",
                f"SELECT {key} FROM {name}_history WHERE valid_to IS NULL",
            )
            assert sorted(map(str, ask(living))) == sorted(map(str, ask(opened))), name
            follows = f"lag(valid_to) OVER (PARTITION BY {key} ORDER BY valid_from)"
            overlaps = f"SELECT {follows} > valid_from AS is_early, valid_to <= valid_from AS is_empty FROM {name}_history"
            assert ask(f"SELECT count(*) FROM ({overlaps}) WHERE is_early OR is_empty") == [(0,)], name


def test_what_checks_ask_of_earlier_snapshots_and_of_series_is_answered_as_it_was(
    api_settings: Settings, spark: SparkSession, land_rows: Land, answers: Any, ask: Ask
) -> None:
    at = "2026-11-21T{}:00+00:00"
    for snapshot_id, is_fenced, last_fetch in (
        (FIRST, False, "13:59"),
        (SECOND, True, "13:59"),
        (THIRD, True, "14:20"),
        (FOURTH, True, "14:20"),
    ):
        told = {
            "admin_brokers": [{"broker_id": 1, "fenced": False}, {"broker_id": 3, "fenced": is_fenced}],
            "quorum": [{"leader_id": 1, "leader_epoch": 9}],
            "quorum_members": [{"node_id": 1, "role": "voter"}, {"node_id": 9, "role": "observer"}],
            "quorum_progress": [
                {"node_id": 1, "last_fetch_at": at.format("14:20"), "high_watermark": 1},
                {"node_id": 9, "last_fetch_at": at.format(last_fetch), "high_watermark": 1},
            ],
        }
        land_rows("kafka", snapshot_id, told)
        process(api_settings, CLUSTER, snapshot_id, spark, expect=False)
    found = "SELECT subject, status, snapshot_id FROM findings_history WHERE check_id = 'ghost-observer' ORDER BY 1, 3"
    assert ask(found) == [
        ("node 3", "open", THIRD),
        ("node 9", "open", FIRST),
        ("node 9", "resolved", THIRD),
    ]
    loaded = answers()
    rebuild(api_settings, CLUSTER, spark=spark)
    assert answers() == loaded


def test_the_past_is_of_todays_code_and_a_rebuild_that_ends_early_changes_nothing(
    run: Run,
    land: Land,
    answers: Any,
    ask: Ask,
    old_release: Any,
    settings: Settings,
    spark: SparkSession,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with old_release():
        for snapshot_id, recorded in (
            (FIRST, "healthy"),
            (SECOND, "broker_killed"),
            (THIRD, "broker_killed"),
        ):
            land(recorded, snapshot_id)
            run(snapshot_id)
    loaded, raw = answers(), ask(RAW)
    assert ask(EPOCHS) == [(False,)]
    with monkeypatch.context() as patch:
        patch.setattr(
            rebuilding, "_commit", lambda *_, **__: (_ for _ in ()).throw(RuntimeError("the power went"))
        )
        with pytest.raises(RuntimeError, match="the power went"):
            rebuild(settings, CLUSTER, spark=spark)
    assert answers() == loaded
    assert _generations(settings, "brokers") == {0, 1}

    rebuilt = rebuild(settings, CLUSTER, "brokers", spark)
    assert (rebuilt.generation, rebuilt.rows, rebuilt.snapshots) == (2, {"brokers": 4}, 3)
    assert _generations(settings, "brokers") == {0, 2}
    assert _generations(settings, "partitions") == {0}
    assert ask(EPOCHS) == [(True,)]
    assert ask("SELECT DISTINCT varve_version LIKE '%.old+%' FROM snapshots") == [(True,)]
    unlike = {view for view, rows in answers().items() if rows != loaded[view]}
    assert unlike == {"brokers", "brokers_history"}

    with monkeypatch.context() as patch:  # as if today's code knew none of those events
        patch.setattr(replay, "write_events", lambda *_: None)
        assert rebuild(settings, CLUSTER, spark=spark).generation == 3
    assert ask("SELECT count(*) FROM events") == [(0,)]
    assert rebuild(settings, CLUSTER, spark=spark).generation == 4
    again = answers()
    unlike = {view for view, rows in again.items() if rows != loaded[view]}
    assert unlike == {"brokers", "brokers_history", "snapshots"}
    assert ask("SELECT DISTINCT varve_version FROM snapshots") == [(code_version(),)]

    land("healthy", FOURTH)
    run(FOURTH)
    assert ask("SELECT broker_id FROM brokers ORDER BY 1") == [(1,), (2,), (3,)]
    assert ask(RAW) == raw
    assert ask(
        f"SELECT event, subject FROM events WHERE snapshot_id = '{FOURTH}' AND event = 'broker-joined'"
    ) == [("broker-joined", "broker 2")]
    grown = answers()
    list(maintain(settings, CLUSTER, datetime(2026, 11, 22, tzinfo=UTC)))
    assert _generations(settings, "brokers") == {4}
    assert answers() == grown


def _generations(settings: Settings, table: str) -> set[int]:
    return {file.generation for file in stored_files(open_storage(settings.lake), CLUSTER, table)}
