"""What a Spark cluster makes of `process`: a lake in S3, two workers of a core each, against `local[2]` on the same cores.

The clusters are made up, of 20,000 and of 200,000 partitions, as in `bench_process`.
"""

from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from tests.benchmarks import bench_process
from tests.benchmarks.bench_process import CLUSTER, SNAPSHOTS, TOPICS, land_large, processed, settings_in
from tests.s3_server import S3Server
from tests.spark_cluster import spark_cluster

Record = Callable[[str, dict[str, float]], None]
DRIVER = {"spark.driver.memory": "480m", "spark.executor.memory": "1g"}


@pytest.mark.parametrize("partitions", [20_000, 200_000])
def test_process_on_a_cluster(
    s3: S3Server, tmp_path: Path, record: Record, monkeypatch: pytest.MonkeyPatch, partitions: int
) -> None:
    monkeypatch.setattr(bench_process, "TOPICS", TOPICS * partitions // 200_000)
    first, second = _figures(s3, tmp_path / "local", {})
    with spark_cluster(tmp_path / "servers") as cluster:
        there_first, there_second = _figures(
            s3, tmp_path / "cluster", {"spark": {"master": cluster.master, "conf": DRIVER}}
        )
    record(
        f"process of {partitions} partitions on a Spark cluster, lake in S3",
        {
            "first s on one host": first[0],
            "second s on one host": second[0],
            "first s on the cluster, over one host's (at most 1.5)": there_first[0] / first[0],
            "second s on the cluster, over one host's (at most 1.5)": there_second[0] / second[0],
            "peak GiB of the driver on the cluster (at most 1.5)": there_second[2],
            "of which its JVM": there_second[3],
            "peak GiB on one host": second[2],
        },
    )


def _figures(s3: S3Server, home: Path, place: dict[str, object]) -> list[list[float]]:
    in_s3 = {"lake": str(s3.place()), **yaml.safe_load(s3.storage_settings()), **place}
    land_large(settings_in(home, in_s3))
    return processed(home / "varve.yaml", CLUSTER, SNAPSHOTS[:2])
