"""Processes two small snapshots of a made-up cluster, so that the JVM can archive the classes that `process` needs."""

import json
import os
import tempfile
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession

from jobs.landing.collect import Part, land
from jobs.landing.landing import Landing
from jobs.machine.class_data import class_data_archive, write_archive
from jobs.machine.session import spark_session
from jobs.process.pipeline import process
from jobs.settings import load_settings

_SETTINGS = 'lake: ./lake\nclusters: [{name: nobody, zookeeper: {connect: "127.0.0.1:1"}}]\n'
_SNAPSHOTS = ("20200101T000000Z", "20200101T001000Z")
_AT = datetime(2020, 1, 1, tzinfo=UTC)


def archive_class_data() -> Path:
    """Write the class-data archive unless it is there. Takes half a minute."""
    archive = class_data_archive()
    if not archive.exists():
        archive.parent.mkdir(parents=True, exist_ok=True)
        unfinished = archive.with_suffix(f".{os.getpid()}")
        spark = spark_session("class data", class_data=write_archive(unfinished))
        with tempfile.TemporaryDirectory() as folder:
            _process_two_snapshots(spark, Path(folder))
        _end_jvm(spark)
        unfinished.replace(archive)
    return archive


def _process_two_snapshots(spark: SparkSession, folder: Path) -> None:
    (folder / "varve.yaml").write_text(_SETTINGS, encoding="utf-8")
    settings = load_settings(folder / "varve.yaml")
    for number, snapshot_id in enumerate(_SNAPSHOTS):
        rows = [_znode(path, data, number) for path, data in _tree(leader=number).items()]
        part = Part("nobody", "zookeeper", snapshot_id)
        land(settings, part, partial(_read, rows))
        process(settings, "nobody", snapshot_id, spark)


def _read(rows: list[tuple[Any, ...]], landing: Landing) -> None:
    landing.rows("znodes", rows)


def _tree(leader: int) -> dict[str, Any]:
    endpoint = {"version": 1, "host": "localhost", "port": 9092, "jmx_port": -1, "endpoints": []}
    state = {"leader": leader, "leader_epoch": leader, "controller_epoch": 1, "isr": [leader], "version": 1}
    return {
        "/cluster/id": {"version": "1", "id": "AAAAAAAAAAAAAAAAAAAAAQ"},
        "/controller": {"version": 1, "brokerid": leader, "timestamp": "0"},
        "/brokers/ids/0": endpoint,
        "/brokers/ids/1": endpoint,
        "/brokers/topics/t": {
            "version": 2,
            "partitions": {"0": [0, 1]},
            "topic_id": "AAAAAAAAAAAAAAAAAAAAAg",
        },
        "/brokers/topics/t/partitions/0/state": state,
        "/config/topics/t": {"version": 1, "config": {"retention.ms": "1"}},
    }


def _znode(path: str, data: Any, version: int) -> tuple[Any, ...]:
    text = json.dumps(data)
    return (path, text, "utf-8", 1, 1 + version, 1, _AT, _AT, version, 0, 0, 0, len(text), 0)


def _end_jvm(spark: SparkSession) -> None:
    """Stop the session and wait for its JVM, which writes the archive at its end."""
    gateway: Any = spark.sparkContext._gateway
    spark.stop()
    gateway.shutdown()
    gateway.proc.stdin.close()
    gateway.proc.wait()
