"""What is landed of the quiet cluster of `years`, which no cluster here could be for so long."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from jobs.lake.snapshot_id import logical_time
from jobs.landing.collect import Part, land
from jobs.landing.landing import Landing
from jobs.settings import Settings
from schemas.registry import tables
from schemas.snapshots import GapReason
from tests.benchmarks import bench_process as made_up
from tests.benchmarks.years import without_last


def land_quiet(settings: Settings, snapshot_id: str, out_of_isr: int | None = None) -> None:
    """Land the snapshot; of the partition of that number, counted as `years` does, the last replica is out of the ISR."""

    def kafka(landing: Landing) -> None:
        made_up._cluster(landing)
        landing.rows("admin_partitions", _partitions(out_of_isr))
        landing.gap("/acls", GapReason.UNAUTHORIZED, "may not be read")

    def log_dirs(landing: Landing) -> None:
        made_up._log_dirs(0, landing)

    at = logical_time(snapshot_id) + timedelta(seconds=5)
    for source, read in (("kafka", kafka), ("log_dirs", log_dirs)):
        land(settings, Part(made_up.CLUSTER, source, snapshot_id), read, at)


def _partitions(out_of_isr: int | None) -> Iterator[tuple[Any, ...]]:
    names = tables()["admin_partitions"].column_names
    rows = [dict(zip(names, row, strict=True)) for row in made_up._partitions(0)]
    for number, row in enumerate(sorted(rows, key=lambda row: (row["topic"], row["partition"]))):
        yield tuple((without_last(row) if number == out_of_isr else row).values())
