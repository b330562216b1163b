"""The compose file: what it opens, and that it makes what the DAGs wait for."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from jobs.settings import load_settings

DOCKER = Path(__file__).parents[2] / "docker"


@pytest.fixture
def services() -> dict[str, Any]:
    services: dict[str, Any] = yaml.safe_load((DOCKER / "compose.yaml").read_text(encoding="utf-8"))[
        "services"
    ]
    return services


def test_only_airflow_is_open_and_only_to_this_machine(services: dict[str, Any]) -> None:
    ports = {name: service["ports"] for name, service in services.items() if "ports" in service}
    assert ports == {"airflow": ["127.0.0.1:8080:8080"]}


def test_airflow_starts_after_the_pool_is_made(services: dict[str, Any]) -> None:
    assert "airflow pools import dags/pools.json" in services["init"]["command"][-1]
    assert services["airflow"]["depends_on"]["init"] == {"condition": "service_completed_successfully"}


def test_nobody_else_reads_airflow_s_files(services: dict[str, Any]) -> None:
    assert services["init"]["command"][-1].startswith("umask 077 && ")
    assert services["airflow"]["command"][-1].startswith("umask 077 && ")


def test_every_file_a_service_mounts_is_there(services: dict[str, Any]) -> None:
    mounts = [
        mount for service in services.values() for mount in service["volumes"] if isinstance(mount, str)
    ]
    files = [DOCKER / mount.split(":")[0] for mount in mounts if mount.startswith("./")]
    assert sorted(file.name for file in files if file.is_file()) == sorted(file.name for file in files)


def test_its_settings_are_valid() -> None:
    assert [cluster.name for cluster in load_settings(DOCKER / "varve.yaml").clusters] == ["orders"]
