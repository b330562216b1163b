"""What history costs where a cluster is large: 500 snapshots of 200,000 partitions, of which one in a thousand changes each."""

import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from random import Random

import pyarrow as pa
from deltalake import DeltaTable
from pyspark.sql import SparkSession

from jobs.lake.arrow import arrow_schema
from jobs.lake.duckdb_sql import text
from jobs.lake.read import open_reader
from jobs.lake.sandbox import open_sandbox
from jobs.lake.snapshot_id import logical_time, snapshot_id_at
from jobs.lake.write import DeltaTables
from jobs.process.state import write_state
from jobs.storage import Storage, open_storage
from jobs.upkeep.tidy import sweep, tidy
from jobs.upkeep.turns import TURNS
from schemas.registry import tables
from schemas.snapshots import SNAPSHOTS

Record = Callable[[str, dict[str, float]], None]
PARTITIONS, SNAPSHOT_COUNT, CHANGED = 200_000, 500, 1_000
FIRST, EVERY = "20260101T000000Z", timedelta(minutes=10)
TABLE = tables()["partitions"]


def test_500_snapshots_of_200_000_partitions(spark: SparkSession, tmp_path: Path, record: Record) -> None:
    storage = open_storage(tmp_path / "lake")
    ids = [snapshot_id_at(logical_time(FIRST) + EVERY * turn) for turn in range(SNAPSHOT_COUNT)]
    writing, seen = [], _partitions()
    for turn, snapshot_id in enumerate(ids):
        seen = _changed(seen, turn) if turn else seen
        delta = DeltaTables(spark, storage, "big", snapshot_id, snapshot_id)
        delta.suit(PARTITIONS)
        begun = time.perf_counter()
        write_state(delta, TABLE, seen, "false", logical_time(snapshot_id))
        writing.append(time.perf_counter() - begun)
        _commit(delta)
        if turn % TURNS == 0:
            for name in (TABLE.name, SNAPSHOTS.name):
                tidy(storage, "big", name)
    written, full_copy = _size(storage), _full_copies(spark, tmp_path / "full", seen)
    sweep(storage, "big", TABLE.name)
    record(
        "history of 200,000 partitions, 500 snapshots",
        {
            "writing a snapshot s, median": sorted(writing[1:])[len(writing) // 2],
            "appending a full copy s": full_copy[0],
            "a full copy MiB": full_copy[1] / 2**20,
            "everything on the disk MiB": written / 2**20,
            "of so many full copies (at least 20)": SNAPSHOT_COUNT * full_copy[1] / written,
            "reading a full copy s": (read := _least(lambda: _read(tmp_path / "full"))),
            "newest, of so many (at most 3)": _least(lambda: _asked(storage, "SELECT * FROM partitions"))
            / read,
            "oldest, of so many (at most 3)": _least(lambda: _at(storage, ids[0])) / read,
            "half way, of so many (at most 3)": _least(lambda: _at(storage, ids[250])) / read,
        },
    )


def _partitions() -> pa.Table:
    """Replicas and epochs are drawn: what repeats itself would make a full copy smaller than any real one."""
    draw = Random(1)
    rows = [
        _partition(number, draw.sample(range(30), 3), draw.randrange(1_000)) for number in range(PARTITIONS)
    ]
    return pa.Table.from_pylist(rows, arrow_schema(TABLE.columns))


def _partition(number: int, replicas: list[int], epoch: int) -> dict[str, object]:
    own = {"topic": f"topic-{number // 100}", "partition": number % 100, "leader": replicas[0]}
    return (
        dict.fromkeys(TABLE.column_names)
        | own
        | {"replicas": replicas, "isr": replicas, "leader_epoch": epoch}
    )


def _changed(seen: pa.Table, turn: int) -> pa.Table:
    """The leader epoch of one in a thousand grows, of others each time."""
    epochs = seen["leader_epoch"].to_numpy().copy()
    epochs[turn % CHANGED :: CHANGED] += 1
    return seen.set_column(
        seen.column_names.index("leader_epoch"), "leader_epoch", pa.array(epochs, pa.int32())
    )


def _commit(delta: DeltaTables) -> None:
    at = logical_time(delta.snapshot_id)
    source = {"source": "kafka", "status": "complete", "started_at": at, "captured_at": at}
    row = (at, at, at, "complete", "kafka", [source], "0.1.0")
    delta.append_log(SNAPSHOTS, delta.frame(SNAPSHOTS, [row]))


def _full_copies(spark: SparkSession, folder: Path, seen: pa.Table) -> tuple[float, int]:
    """The median seconds to append a full copy to a Delta table, and its size on the disk."""
    rows, seconds = spark.createDataFrame(seen), []
    for _ in range(5):
        begun = time.perf_counter()
        rows.coalesce(1).write.format("delta").mode("append").save(str(folder))
        seconds.append(time.perf_counter() - begun)
    return sorted(seconds)[2], max(path.stat().st_size for path in folder.glob("*.parquet"))


def _least(measured: Callable[[], float]) -> float:
    return min(measured() for _ in range(5))


def _at(storage: Storage, snapshot_id: str) -> float:
    return _asked(storage, f"SELECT * FROM partitions_at('{logical_time(snapshot_id)}')")


def _asked(storage: Storage, sql: str) -> float:
    begun = time.perf_counter()
    with open_reader(storage, ["big"]).batches(sql) as batches:
        assert batches.read_all().num_rows == PARTITIONS
    return time.perf_counter() - begun


def _read(folder: Path) -> float:
    """Seconds to read one of the full copies, from the log of its table on."""
    begun = time.perf_counter()
    copy = text(DeltaTable(str(folder)).file_uris()[0])
    with open_sandbox() as connection:
        assert connection.sql(f"SELECT * FROM read_parquet({copy})").to_arrow_table().num_rows == PARTITIONS
    return time.perf_counter() - begun


def _size(storage: Storage) -> int:
    return sum(Path(storage.location(path)).stat().st_size for path in storage.list(""))
