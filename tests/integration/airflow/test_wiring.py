"""Which tasks run, whatever happened before them. A source that fails does so for real: its log dir is not there."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

VARVE_YAML = """\
lake: ./lake
clusters:
  - name: orders
    kafka: {bootstrap_servers: "127.0.0.1:1", timeout_s: 1}
    zookeeper: {connect: "127.0.0.1:1", timeout_s: 1}
    schedule: "@monthly"
"""
NOW = datetime.now(UTC)
THIS_MONTH = datetime(NOW.year, NOW.month, 1, tzinfo=UTC)
RUNS: dict[str, dict[str, Any]] = {
    "every source answers": {
        "logical_date": NOW.isoformat(),
        "mark_success": "collect_.*|process|report|tell_findings",
    },
    "one source fails": {
        "logical_date": (NOW + timedelta(seconds=1)).isoformat(),
        "mark_success": "collect_zookeeper|process|report|tell_findings",
    },
    "every source fails": {
        "logical_date": (NOW + timedelta(seconds=2)).isoformat(),
        "mark_success": "process|report|tell_findings",
    },
    "by hand without a logical date": {
        "logical_date": None,
        "mark_success": "collect_zookeeper|process|report|tell_findings",
    },
    "scheduled and newest": {
        "logical_date": THIS_MONTH.isoformat(),
        "run_type": "scheduled",
        "mark_success": "collect_.*|process|report|tell_findings",
    },
    "scheduled and late": {
        "logical_date": ((THIS_MONTH - timedelta(days=1)).replace(day=1)).isoformat(),
        "run_type": "scheduled",
        "mark_success": "collect_.*|process|report|tell_findings",
    },
}


@pytest.fixture(scope="module")
def ended(airflow: Any, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    config: Path = tmp_path_factory.mktemp("wiring") / "varve.yaml"
    config.write_text(VARVE_YAML)
    return dict(zip(RUNS, airflow.run(config, "varve_orders", *RUNS.values()), strict=True))


def test_all_sources_lead_to_one_process_and_one_report(ended: dict[str, Any]) -> None:
    assert ended["every source answers"]["tasks"] == {
        "latest_only": "success",
        "collect_kafka": "success",
        "collect_zookeeper": "success",
        "process": "success",
        "report": "success",
        "tell_findings": "success",
    }
    assert ended["every source answers"]["state"] == "success"


def test_a_failed_source_does_not_keep_the_others_from_being_processed(ended: dict[str, Any]) -> None:
    assert ended["one source fails"]["tasks"] == {
        "latest_only": "success",
        "collect_kafka": "failed",
        "collect_zookeeper": "success",
        "process": "success",
        "report": "success",
        "tell_findings": "success",
    }
    assert ended["one source fails"]["state"] == "success"


def test_nothing_collected_is_nothing_to_process_and_a_failed_run(ended: dict[str, Any]) -> None:
    assert ended["every source fails"]["tasks"] == {
        "latest_only": "success",
        "collect_kafka": "failed",
        "collect_zookeeper": "failed",
        "process": "upstream_failed",
        "report": "upstream_failed",
        "tell_findings": "success",
    }
    assert ended["every source fails"]["state"] == "failed"


def test_a_run_by_hand_without_a_logical_date_works(ended: dict[str, Any]) -> None:
    tasks = ended["by hand without a logical date"]["tasks"]
    assert tasks["latest_only"] == "success"
    assert tasks["collect_zookeeper"] == "success"
    assert tasks["process"] == "success"


def test_the_newest_scheduled_run_works(ended: dict[str, Any]) -> None:
    assert set(ended["scheduled and newest"]["tasks"].values()) == {"success"}


def test_a_scheduled_run_whose_next_time_has_passed_is_skipped_and_does_not_fail(
    ended: dict[str, Any],
) -> None:
    assert ended["scheduled and late"]["tasks"] == {
        "latest_only": "success",
        "collect_kafka": "skipped",
        "collect_zookeeper": "skipped",
        "process": "skipped",
        "report": "skipped",
        "tell_findings": "skipped",
    }
    assert ended["scheduled and late"]["state"] == "success"


def test_every_task_of_a_run_has_the_same_snapshot_id(ended: dict[str, Any]) -> None:
    commands = ended["every source fails"]["commands"]
    snapshot_id = (NOW + timedelta(seconds=2)).strftime("%Y%m%dT%H%M%SZ")
    assert commands["collect_kafka"].endswith(f" collect orders kafka --snapshot-id {snapshot_id}")
    assert commands["collect_zookeeper"].endswith(f" collect orders zookeeper --snapshot-id {snapshot_id}")


def test_without_a_logical_date_the_snapshot_id_is_the_time_the_run_was_asked_for(
    ended: dict[str, Any],
) -> None:
    run = ended["by hand without a logical date"]
    snapshot_id = datetime.fromisoformat(run["run_after"]).strftime("%Y%m%dT%H%M%SZ")
    assert run["commands"]["collect_kafka"].endswith(f" collect orders kafka --snapshot-id {snapshot_id}")
