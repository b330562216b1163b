"""The alarm: a finding that a run brought makes its task red, once, and whoever hears of red tasks hears of it."""

import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

RECORDED = Path(__file__).parents[2] / "data/log_dirs/zookeeper-3.9.1/broker-1-d0"
POLICY = """\
def tell(context):
    with open({calls!r}, "a") as calls:
        print(context["ti"].task_id, file=calls)


def task_policy(task):
    if task.task_id == "tell_findings":
        task.on_failure_callback = [tell]
"""
"""What is called for a red task, in the file that docs/airflow.md names."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("told")


@pytest.fixture(scope="module")
def run(airflow: Any, folder: Path) -> Callable[[], dict[str, Any]]:
    """Takes a snapshot of a cluster of which only a disk is read. `dag.test()` says that a run began at its logical date."""
    local_settings = airflow.home / "config" / "airflow_local_settings.py"
    local_settings.parent.mkdir(exist_ok=True)
    local_settings.write_text(POLICY.format(calls=str(folder / "calls")), encoding="utf-8")
    config = folder / "varve.yaml"
    config.write_text(
        f"lake: ./lake\nclusters: [{{name: orders, log_dirs: [{{broker: 1, local: [{folder / 'd0'}]}}]}}]\n"
    )

    def taken() -> dict[str, Any]:
        (ended,) = airflow.run(config, "varve_orders", {"logical_date": datetime.now(UTC).isoformat()})
        return dict(ended)

    return taken


@pytest.fixture(scope="module")
def ended(run: Callable[[], dict[str, Any]], folder: Path) -> list[dict[str, Any]]:
    """A healthy disk; then that of another broker mounted in its place, twice in a row."""
    disk = folder / "d0"
    shutil.copytree(RECORDED, disk)
    properties = disk / "meta.properties"
    own = properties.read_text(encoding="utf-8")
    assert "broker.id=1\n" in own
    healthy = run()
    properties.write_text(own.replace("broker.id=1\n", "broker.id=9\n"), encoding="utf-8")
    return [healthy, run(), run()]


def test_the_task_is_red_only_in_the_run_that_brought_a_finding(ended: list[dict[str, Any]]) -> None:
    assert [each["tasks"]["tell_findings"] for each in ended] == ["success", "failed", "success"]


def test_the_run_is_red_with_it_while_its_snapshot_and_report_are_there(ended: list[dict[str, Any]]) -> None:
    assert [each["state"] for each in ended] == ["success", "failed", "success"]
    assert {each["tasks"]["process"] for each in ended} == {"success"}
    assert {each["tasks"]["report"] for each in ended} == {"success"}


def test_what_a_policy_puts_on_the_task_is_called_once(ended: list[dict[str, Any]], folder: Path) -> None:
    assert ended
    assert (folder / "calls").read_text(encoding="utf-8").splitlines() == ["tell_findings"]
