"""`varve process` on a Spark cluster, whose workers have no Python and see neither the checkout nor a folder of the driver."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from jobs.lab.jvm import wait_until
from jobs.lake.files import stored_files
from jobs.lake.layout import work_folder
from jobs.process import process
from jobs.settings import Settings, load_settings
from jobs.storage import open_storage
from tests.jobs.process.conftest import CLUSTER, FIRST, SETTINGS, land_recorded
from tests.jobs.process.whole_lake import everything
from tests.s3_server import S3Server
from tests.spark_cluster import SparkCluster, spark_cluster

pytestmark = pytest.mark.cluster

SECOND = "20261121T141000Z"
# Every row goes to the executors through a file in the lake, as it does from 20,000 on, but small plans are not compiled.
PROCESS = """
import sys
from pathlib import Path

from jobs import many_rows
from jobs.machine import local_rows
from jobs.process import process
from jobs.settings import load_settings

many_rows.MANY_ROWS = 10
local_rows.suit = lambda spark, is_large: None
process(load_settings(Path(sys.argv[1])), sys.argv[2], sys.argv[3])
"""


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkCluster]:
    with spark_cluster(tmp_path_factory.mktemp("spark-cluster")) as cluster:
        yield cluster


@pytest.fixture
def path(cluster: SparkCluster, s3: S3Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Settings with a lake in S3 and that cluster."""
    monkeypatch.setattr("jobs.storage.fetched.cache", lambda: tmp_path / "cache")
    path = tmp_path / "on_cluster.yaml"
    conf = "{spark.executor.memory: 1g, spark.driver.memory: 1g}"
    path.write_text(
        SETTINGS.replace(
            "lake: ./lake\n",
            f"lake: {s3.place()}\n{s3.storage_settings()}spark: {{master: '{cluster.master}', conf: {conf}}}\n",
        )
    )
    return path


def test_a_cluster_makes_the_same_lake_as_one_host_also_when_an_executor_dies(
    cluster: SparkCluster,
    path: Path,
    settings: Settings,
    spark: SparkSession,
    record_property: Callable[[str, object], None],
) -> None:
    on_cluster = load_settings(path)
    storage = open_storage(on_cluster.lake)
    for lake in (on_cluster.lake, settings.lake):
        land_recorded(lake, "healthy", FIRST)
        land_recorded(lake, "broker_killed", SECOND)
    command = [sys.executable, "-c", PROCESS, str(path), CLUSTER, SECOND]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    wait_until("raw state", lambda: bool(stored_files(storage, CLUSTER, "znodes")), cluster.workers, 300)
    os.kill(cluster.executors()[0], signal.SIGKILL)
    told, _ = running.communicate(timeout=900)
    assert running.returncode == 0, told
    process(settings, CLUSTER, SECOND, spark)
    assert everything(on_cluster) == everything(settings)
    assert list(storage.list(work_folder(CLUSTER))) == []
    if not cluster.hides:
        record_property(
            "not tested", "executors that do not see the driver's folders: needs root and unshare"
        )
