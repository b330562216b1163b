"""The DAGs as Airflow finds them, from a `varve.yaml` of the tests' own.

Airflow reads its environment when it is first imported, so its home is chosen before that.
"""

import atexit
import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

_HOME = tempfile.mkdtemp(prefix="varve-airflow-")
atexit.register(shutil.rmtree, _HOME, ignore_errors=True)
os.environ |= {"AIRFLOW_HOME": _HOME, "AIRFLOW__CORE__LOAD_EXAMPLES": "False"}

DAGS = Path(__file__).parents[2] / "dags"
VARVE_YAML = """\
lake: ./lake
clusters:
  - name: orders
    zookeeper: {connect: "zk1:2181,zk2:2181/kafka_cluster_01"}
    kafka: {bootstrap_servers: "b1:9092"}
    log_dirs:
      - {broker: 1, local: [/var/kafka/d0]}
    schedule: "*/5 * * * *"
  - name: audit-2
    kafka: {bootstrap_servers: "b7:9092"}
"""


@pytest.fixture
def dags_folder() -> Path:
    return DAGS


@pytest.fixture
def parse(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Any]:
    """A DagBag made from that text as `varve.yaml`, in a folder whose name needs quoting."""
    from airflow.dag_processing.dagbag import DagBag

    def dagbag(text: str) -> Any:
        config = tmp_path / "our clusters" / "varve.yaml"
        config.parent.mkdir()
        config.write_text(text, encoding="utf-8")
        monkeypatch.setenv("VARVE_CONFIG", str(config))
        return DagBag(DAGS)

    return dagbag


@pytest.fixture
def dagbag(parse: Callable[[str], Any]) -> Any:
    return parse(VARVE_YAML)
