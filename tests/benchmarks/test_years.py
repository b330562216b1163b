"""The lake of years that the benchmarks ask holds what the real writer would have written."""

import shutil
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from jobs.lake.eras import EraLimits
from jobs.lake.sight import Sight
from jobs.lake.snapshot_id import logical_time, snapshot_id_at
from jobs.lake.stored import StoredRows
from jobs.process import process
from jobs.settings import Settings, load_settings
from jobs.storage import open_storage
from schemas.registry import tables
from tests.benchmarks import bench_process as made_up
from tests.benchmarks.bench_process import CLUSTER, settings_in
from tests.benchmarks.quiet_cluster import land_quiet
from tests.benchmarks.years import EVERY, Years, out_of_isr

FIRST = "20260101T000000Z"
TURNS = 5
A_SHORT_ERA = 0.02
"""Days: the third turn opens an era."""


def test_the_builder_writes_the_rows_that_the_real_writer_writes(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in (("TOPICS", 2), ("PARTITIONS", 4), ("BROKERS", 3)):
        monkeypatch.setattr(made_up, name, value)
    real = settings_in(tmp_path / "real", era_days=A_SHORT_ERA)
    land_quiet(real, FIRST)
    process(real, CLUSTER, FIRST, spark)
    shutil.copytree(tmp_path / "real", tmp_path / "built")
    built = load_settings(tmp_path / "built" / "varve.yaml")
    for turn in range(1, TURNS + 1):
        snapshot_id = snapshot_id_at(logical_time(FIRST) + EVERY * turn)
        land_quiet(real, snapshot_id, out_of_isr(turn, partitions=8))
        process(real, CLUSTER, snapshot_id, spark)
    Years(open_storage(built.lake), CLUSTER, EraLimits(days=A_SHORT_ERA)).grow(TURNS, one_by_one=2)
    assert [out_of_isr(turn, partitions=8) for turn in range(TURNS + 1)] == [None, None, 0, None, None, 7]
    written = {name: rows for name in tables() if (rows := _rows(real, name))}
    assert {name: _rows(built, name) for name in tables()} == {
        name: written.get(name, []) for name in tables()
    }
    changed = {name for name, rows in written.items() if len({row["snapshot_id"] for row in rows}) > 1}
    assert changed == {
        *("admin_partitions", "partitions", "findings", "whatif", "events", "expectation_results"),
        *("coverage_gaps", "disk_offsets", "snapshots"),
    }
    assert {row["era"] for row in written["partitions"]} == {FIRST, "20260101T003000Z"}


def _rows(settings: Settings, name: str) -> list[dict[str, Any]]:
    """Every committed row, but for when it was committed, in some order that is always the same."""
    storage = open_storage(settings.lake)
    rows = StoredRows(storage, Sight(storage, CLUSTER)).committed(tables()[name]).to_pylist()
    return sorted(
        ({key: value for key, value in row.items() if key != "committed_at"} for row in rows), key=repr
    )
