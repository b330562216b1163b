"""A snapshot by Airflow, from real ZooKeeper and Kafka to an answer out of the lake."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml

from jobs.lab.ports import free_port
from jobs.lab.topics import create_topic

FIRST = datetime.now(UTC).replace(microsecond=0)
SECOND = FIRST + timedelta(seconds=1)
TOPIC = "seen-by-airflow"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("run")


@pytest.fixture(scope="module")
def ended(airflow: Any, zookeeper_cluster: Any, folder: Path) -> list[dict[str, Any]]:
    """A run that reads every source, then one where the Kafka API does not answer."""
    create_topic(zookeeper_cluster.bootstrap_servers, TOPIC, [sorted(zookeeper_cluster.brokers)])
    whole = zookeeper_cluster.settings("orders")
    nobody = {"bootstrap_servers": f"127.0.0.1:{free_port()}", "timeout_s": 2}
    return [
        *airflow.run(
            varve_yaml(folder / "varve.yaml", whole), "varve_orders", {"logical_date": FIRST.isoformat()}
        ),
        *airflow.run(
            varve_yaml(folder / "unreachable.yaml", whole | {"kafka": nobody}),
            "varve_orders",
            {"logical_date": SECOND.isoformat()},
        ),
    ]


def varve_yaml(path: Path, cluster: dict[str, Any]) -> Path:
    path.write_text(yaml.safe_dump({"lake": "./lake", "clusters": [cluster]}), encoding="utf-8")
    return path


def ask(airflow: Any, folder: Path, query: str) -> list[dict[str, Any]]:
    """What `varve sql` answers about the lake the runs left."""
    answer = airflow.call(
        [airflow.varve, "--config", folder / "varve.yaml", "sql", query, "--format", "json"]
    )
    rows: list[dict[str, Any]] = json.loads(answer)
    return rows


def test_every_task_of_the_run_succeeds(ended: list[dict[str, Any]]) -> None:
    assert ended[0]["state"] == "success"
    assert ended[0]["tasks"] == {
        "latest_only": "success",
        "collect_kafka": "success",
        "collect_log_dirs": "success",
        "collect_zookeeper": "success",
        "process": "success",
        "report": "success",
        "tell_findings": "success",
    }


def test_the_snapshot_is_in_the_lake_under_the_run_s_logical_date(
    airflow: Any, ended: list[dict[str, Any]], folder: Path
) -> None:
    assert ended
    rows = ask(airflow, folder, "SELECT snapshot_id, status FROM snapshots ORDER BY snapshot_id")
    assert rows[0] == {"snapshot_id": FIRST.strftime("%Y%m%dT%H%M%SZ"), "status": "complete"}


def test_a_source_that_fails_alone_leaves_a_partial_snapshot(
    airflow: Any, ended: list[dict[str, Any]], folder: Path
) -> None:
    assert ended[1]["state"] == "success"
    assert ended[1]["tasks"] == {
        "latest_only": "success",
        "collect_kafka": "failed",
        "collect_log_dirs": "success",
        "collect_zookeeper": "success",
        "process": "success",
        "report": "success",
        "tell_findings": "success",
    }
    rows = ask(airflow, folder, "SELECT snapshot_id, status FROM snapshots ORDER BY snapshot_id")
    assert rows[1] == {"snapshot_id": SECOND.strftime("%Y%m%dT%H%M%SZ"), "status": "partial"}


def test_what_a_failed_source_could_not_see_is_still_in_the_lake(
    airflow: Any, ended: list[dict[str, Any]], folder: Path
) -> None:
    assert ended
    topics = ask(airflow, folder, f"SELECT topic, partitions FROM topics WHERE topic = '{TOPIC}'")
    assert topics == [{"topic": TOPIC, "partitions": 1}]
    gaps = ask(airflow, folder, "SELECT DISTINCT source, reason FROM coverage_gaps WHERE source = 'kafka'")
    assert gaps == [{"source": "kafka", "reason": "unreachable"}]


def test_the_report_is_of_the_newest_snapshot(ended: list[dict[str, Any]], folder: Path) -> None:
    assert ended
    report = (folder / "report" / "orders.html").read_text(encoding="utf-8")
    assert SECOND.strftime("%Y%m%dT%H%M%SZ") in report
