"""Recorded snapshots of a real cluster, landed as a collector would land them."""

import json
import shutil
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from jobs.lake.layout import landing_folder
from jobs.lake.read import open_reader
from jobs.lake.snapshot_id import logical_time
from jobs.landing.landing import Landing
from jobs.landing.manifest import Manifest, write_manifest
from jobs.process import pipeline, process
from jobs.secrets import Redactor
from jobs.settings import Settings, load_settings
from jobs.storage import Location, open_storage
from schemas.registry import tables
from schemas.snapshots import Gap
from tests.s3_server import S3Server

RECORDED = Path(__file__).parents[2] / "data" / "snapshots"
CLUSTER = "orders"
FIRST = "20261121T140000Z"
SETTINGS = f"""
lake: ./lake
clusters:
  - name: {CLUSTER}
    zookeeper: {{connect: "127.0.0.1:2181/kafka_cluster_01"}}
    log_dirs: [{{broker: 1, local: [/var/kafka/d0]}}]
"""


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return settings_in(tmp_path)


@pytest.fixture
def api_settings(tmp_path: Path) -> Settings:
    """The same lake of a cluster that is read over the Admin API alone."""
    cluster = f"{{name: {CLUSTER}, kafka: {{bootstrap_servers: '127.0.0.1:1'}}}}"
    (tmp_path / "api.yaml").write_text(f"lake: ./lake\nclusters: [{cluster}]\n")
    return load_settings(tmp_path / "api.yaml")


@pytest.fixture
def in_s3(s3: S3Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """The settings of the test's cluster, whose lake is in S3."""
    monkeypatch.setattr("jobs.storage.fetched.cache", lambda: tmp_path / "cache")
    path = tmp_path / "in_s3.yaml"
    path.write_text(SETTINGS.replace("lake: ./lake\n", f"lake: {s3.place()}\n{s3.storage_settings()}"))
    return load_settings(path)


@pytest.fixture(scope="session")
def healthy_lake(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lake with one committed snapshot, `healthy` under FIRST; made once, to be copied."""
    settings = settings_in(tmp_path_factory.mktemp("healthy"))
    land_recorded(settings.lake, "healthy", FIRST)
    process(settings, CLUSTER, FIRST, spark, expect=False)
    return settings.lake


@pytest.fixture
def healthy_first(settings: Settings, healthy_lake: Path) -> None:
    """The test's lake has committed `healthy` as its first snapshot."""
    shutil.copytree(healthy_lake, settings.lake)


@pytest.fixture
def land(settings: Settings) -> Callable[..., None]:
    """Land a recorded snapshot under an id; sources named in `without` land nothing, those in `failed` a gap.

    The log dirs of the `brokers` are looked at.
    """

    return partial(land_recorded, settings.lake)


@pytest.fixture
def land_healthy(settings: Settings) -> Callable[..., None]:
    """Land `healthy` under an id, with more znodes (data by path) and without the subtrees `unseen`, which are gaps."""

    def land_with(snapshot_id: str, more: Mapping[str, str], unseen: tuple[str, ...] = ()) -> None:
        sources = json.loads((RECORDED / "healthy.json").read_text())
        tree, usual = sources["zookeeper"], sources["zookeeper"]["tables"]["znodes"][0]
        znodes = [*tree["tables"]["znodes"], *(usual | {"path": p, "data": d} for p, d in more.items())]
        tree["tables"]["znodes"] = [row for row in znodes if not row["path"].startswith(unseen or "-")]
        tree["gaps"] = [
            {"scope": path, "reason": "unauthorized", "message": "no READ right"} for path in unseen
        ]
        for source in ("zookeeper", "log_dirs"):
            _land(settings.lake, source, snapshot_id, sources[source], is_failed=False)

    return land_with


@pytest.fixture
def land_rows(settings: Settings) -> Callable[..., None]:
    """Land rows (columns by name) of a source's tables under an id, with gaps at the scopes `unseen`."""

    def land_of(source: str, snapshot_id: str, rows: Mapping[str, Any], unseen: tuple[str, ...] = ()) -> None:
        gaps = [{"scope": scope, "reason": "unauthorized", "message": "no right"} for scope in unseen]
        landed = {"tables": rows, "gaps": gaps, "zxid": None, "unsettled": None}
        _land(settings.lake, source, snapshot_id, landed, is_failed=False)

    return land_of


@pytest.fixture
def ask(settings: Settings) -> Callable[[str], list[tuple[Any, ...]]]:
    """Query the lake as `varve sql` does."""
    return lambda sql: open_reader(open_storage(settings.lake), [CLUSTER]).query(sql).rows


def settings_in(folder: Path) -> Settings:
    (folder / "varve.yaml").write_text(SETTINGS)
    return load_settings(folder / "varve.yaml")


def land_recorded(
    lake: Location,
    recorded: str,
    snapshot_id: str,
    without: tuple[str, ...] = (),
    failed: tuple[str, ...] = (),
    brokers: tuple[int, ...] = (1, 2, 3),
) -> None:
    sources = json.loads((RECORDED / f"{recorded}.json").read_text())
    sources["log_dirs"] = _of_brokers(sources["log_dirs"], brokers)
    for source in {"zookeeper", "log_dirs"} - set(without):
        _land(lake, source, snapshot_id, sources[source], is_failed=source in failed)


def _of_brokers(landed: Mapping[str, Any], brokers: tuple[int, ...]) -> Mapping[str, Any]:
    """What a collector lands that is to look at the log dirs of these brokers only."""
    tables = {name: [r for r in rows if r["broker_id"] in brokers] for name, rows in landed["tables"].items()}
    scopes = [f"/{row['broker_id']}{row['path']}" for row in tables["log_dirs"]]
    return {**landed, "tables": tables, "looked_at": scopes}


def _land(
    lake: Location, source: str, snapshot_id: str, landed: Mapping[str, Any], *, is_failed: bool
) -> None:
    storage = open_storage(lake)
    landing = Landing(storage.inside(landing_folder(CLUSTER, source, snapshot_id)), source, Redactor(None))
    gaps = tuple(Gap(**gap) for gap in landed["gaps"])
    at = logical_time(snapshot_id)
    if is_failed:
        gaps = (Gap("/", "unreachable", f"{source} does not answer"),)
    else:
        for name, rows in landed["tables"].items():
            landing.rows(name, [_row(name, row) for row in rows])
        landing.flush()
    write_manifest(
        storage,
        Manifest(
            cluster=CLUSTER,
            source=source,
            snapshot_id=snapshot_id,
            status="failed" if is_failed else "partial" if gaps else "complete",
            started_at=at,
            captured_at=at + timedelta(seconds=5),
            rows=landing.counts,
            files=landing.files,
            gaps=gaps,
            varve_version="0.1.0",
            zxid=landed["zxid"],
            unsettled=landed["unsettled"],
            looked_at=landed.get("looked_at"),
        ),
    )


def _row(table: str, row: Mapping[str, Any]) -> tuple[Any, ...]:
    """Columns that are younger than the recording are null."""
    values = ((column.type, row.get(column.name)) for column in tables()[table].columns)
    return tuple(
        datetime.fromisoformat(value) if kind == "TIMESTAMP" and value else value for kind, value in values
    )


def die_before_findings(patch: pytest.MonkeyPatch, run: Callable[[], None]) -> None:
    """Run up to the typed tables of a snapshot, where the power goes."""

    def power_went(*_: object) -> None:
        raise RuntimeError("the power went")

    patch.setattr(pipeline, "write_findings", power_went)
    with pytest.raises(RuntimeError, match="the power went"):
        run()
