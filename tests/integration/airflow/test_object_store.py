"""A snapshot by Airflow into a lake in S3: each task is a process of its own, on whatever host, and shares nothing else."""

import json
import os
import shutil
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from jobs.lake.layout import report_folder
from jobs.settings import load_settings
from jobs.storage import open_storage
from tests.s3_server import SECRET_KEY, S3Server

pytestmark = pytest.mark.cluster
RECORDED = Path(__file__).parents[2] / "data/log_dirs/zookeeper-3.9.1/broker-1-d0"
AT = datetime.now(UTC).replace(microsecond=0)


@pytest.fixture(scope="module")
def config(s3: S3Server, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cluster of which only a disk is read."""
    home = tmp_path_factory.mktemp("in-s3")
    shutil.copytree(RECORDED, home / "d0")
    path = home / "varve.yaml"
    path.write_text(
        f"lake: {s3.place()}\n{s3.storage_settings()}"
        f"clusters: [{{name: orders, log_dirs: [{{broker: 1, local: [{home / 'd0'}]}}]}}]\n"
    )
    return path


@pytest.fixture(scope="module")
def with_keys(airflow: Any, s3: S3Server) -> Any:  # noqa: ARG001
    """The Airflow, whose environment has what the settings name."""
    keys = {name: os.environ[name] for name in ("LAKE_ACCESS_KEY", "LAKE_SECRET_KEY")}
    return replace(airflow, env=airflow.env | keys)


def test_a_run_and_the_upkeep_leave_a_snapshot_and_its_report_in_the_store(
    with_keys: Any, config: Path
) -> None:
    (ended,) = with_keys.run(config, "varve_orders", {"logical_date": AT.isoformat()})
    assert ended["tasks"] == {
        "latest_only": "success",
        "collect_log_dirs": "success",
        "process": "success",
        "report": "success",
        "tell_findings": "success",
    }
    assert SECRET_KEY not in json.dumps(ended)
    (kept,) = with_keys.run(config, "varve.maintain", {"logical_date": AT.isoformat()})
    assert kept["tasks"] == {"maintain_orders": "success"}
    asked = "SELECT snapshot_id, status FROM snapshots"
    told = with_keys.call([with_keys.varve, "--config", config, "sql", asked, "--format", "json"])
    snapshot_id = AT.strftime("%Y%m%dT%H%M%SZ")
    assert json.loads(told) == [{"snapshot_id": snapshot_id, "status": "complete"}]
    page = open_storage(report_folder(load_settings(config).lake)).read("orders.html") or b""
    assert snapshot_id in page.decode()
    assert not (config.parent / "lake").exists()
