"""A lake in S3, written by a Spark of its own as `varve process` starts it."""

import json
import subprocess
import sys
from pathlib import Path

from pyspark.sql import SparkSession

from jobs.lake.files import stored_files, stored_shape
from jobs.lake.layout import manifest_path, seal_path
from jobs.process import process
from jobs.settings import Settings
from jobs.storage import open_storage
from tests.jobs.process.conftest import CLUSTER, FIRST, land_recorded
from tests.jobs.process.whole_lake import everything
from tests.s3_server import SECRET_KEY, S3Server

SECOND = "20261121T141000Z"
VARVE = str(Path(sys.executable).with_name("varve"))


def test_a_lake_in_s3_says_the_same_as_one_in_a_folder(
    in_s3: Settings, settings: Settings, spark: SparkSession, tmp_path: Path
) -> None:
    for lake in (in_s3.lake, settings.lake):
        land_recorded(lake, "healthy", FIRST)
        land_recorded(lake, "broker_killed", SECOND)
    told = subprocess.run(
        [VARVE, "--config", str(tmp_path / "in_s3.yaml"), "process", CLUSTER],
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    assert (told.returncode, SECRET_KEY in told.stdout + told.stderr) == (0, False), told.stderr
    process(settings, CLUSTER, SECOND, spark)
    assert everything(in_s3) == everything(settings)
    storage = open_storage(in_s3.lake)
    assert not storage.exists(seal_path(CLUSTER, FIRST))
    assert storage.exists(manifest_path(CLUSTER, "zookeeper", SECOND))


RACE = """
import json
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from jobs.machine.session import spark_session
from jobs.settings import load_settings

lake = load_settings(Path(sys.argv[1])).lake
spark = spark_session("race", lake)
jvm, hadoop = spark._jvm, spark.sparkContext._jsc.hadoopConfiguration()
log_store = jvm.java.lang.Class.forName(
    "varve.ConditionalLogStore", True, jvm.Thread.currentThread().getContextClassLoader()
).getConstructors()[0]
made = spark.sparkContext._gateway.new_array(jvm.java.lang.Object, 1)
made[0] = hadoop


def write(entry, writer):
    lines = jvm.java.util.ArrayList()
    lines.append(writer)
    try:
        log_store.newInstance(made).write(
            jvm.org.apache.hadoop.fs.Path(f"{lake}/log/{entry}"), lines.iterator(), False, hadoop
        )
    except Exception as error:
        assert "java.nio.file.FileAlreadyExistsException" in str(error), error
        return None
    return writer


with ThreadPoolExecutor(16) as pool:
    won = {
        entry: [won for won in pool.map(lambda n: write(entry, f"writer {n}"), range(16)) if won]
        for entry in range(20)
    }
    again = write(0, won[0][0])
process_id = jvm.java.lang.ProcessHandle.current().pid()
command = Path(f"/proc/{process_id}/cmdline").read_text()
print(json.dumps({"won": won, "again": again, "command": command}))
"""


def test_of_several_drivers_one_writes_an_entry_of_deltas_log(in_s3: Settings, tmp_path: Path) -> None:
    said = json.loads(_told(RACE, tmp_path))
    storage = open_storage(in_s3.lake)
    for entry, won in said["won"].items():
        assert len(won) == 1
        assert storage.read(f"log/{entry}") == f"{won[0]}\n".encode()
    # As when the answer to a PUT got lost and it is sent again.
    assert said["again"] == said["won"]["0"][0]
    assert "spark.delta.logStore.s3.impl" in said["command"]
    assert SECRET_KEY not in said["command"]


CREATES = """
import sys
from pathlib import Path

from jobs.lake.write import DeltaTables
from jobs.machine.session import spark_session
from jobs.settings import load_settings
from jobs.storage import open_storage
from schemas.snapshots import COVERAGE_GAPS

lake = load_settings(Path(sys.argv[1])).lake
spark = spark_session("creates", lake)
delta = DeltaTables(spark, open_storage(lake), "orders", "20261121T140000Z", "20261121T140000Z")
delta.append_log(COVERAGE_GAPS, delta.frame(COVERAGE_GAPS, [("zookeeper", "/", "unreachable", "nobody answers")]))
"""


def test_a_table_whose_creation_was_cut_off_is_created_again(
    in_s3: Settings, s3: S3Server, tmp_path: Path
) -> None:
    folder = f"{in_s3.lake}/orders/coverage_gaps/_delta_log/".removeprefix(f"s3://{s3.bucket}/")
    for left in (folder, f"{folder}_staged_commits/"):
        s3.client.put_object(Bucket=s3.bucket, Key=left, Body=b"")
    _told(CREATES, tmp_path)
    stored = stored_shape(open_storage(in_s3.lake), "orders", "coverage_gaps")
    assert stored
    assert stored.properties["delta.logRetentionDuration"] == "interval 1 days"
    (file,) = stored_files(open_storage(in_s3.lake), "orders", "coverage_gaps")
    assert (file.rows, file.generation) == (1, 0)


def _told(script: str, home: Path) -> str:
    """What a Python of its own prints that runs a script on the lake in S3."""
    told = subprocess.run(
        [sys.executable, "-c", script, str(home / "in_s3.yaml")],
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    assert told.returncode == 0, told.stderr
    return told.stdout
