"""Log dirs as real brokers left them, and what lands of them."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from jobs.landing.landing import Landing
from jobs.secrets import Redactor
from jobs.sources.log_dirs.collect import collect
from jobs.sources.log_dirs.settings import Settings
from jobs.storage import open_storage

RECORDED = Path(__file__).parents[3] / "data/log_dirs"
Landed = tuple[dict[str, list[dict[str, Any]]], Landing]


@pytest.fixture
def d0(tmp_path: Path) -> Path:
    """A log dir as a Kafka 3.9.1 broker left it."""
    return shutil.copytree(RECORDED / "kraft-3.9.1/broker-1-d0", tmp_path / "d0")


@pytest.fixture
def landed() -> Callable[..., Landed]:
    """`landed(folder, *paths)` collects broker 1's log dirs: the rows of each table, and the landing."""
    return _landed


def _landed(tmp_path: Path, *paths: Path) -> Landed:
    folder = tmp_path / "landing"
    folder.mkdir()
    landing = Landing(open_storage(folder), "log_dirs", Redactor(None))
    collect(Settings.model_validate([{"broker": 1, "local": list(paths)}]), landing)
    landing.flush()
    tables = {
        name: [row for file in files for row in pq.read_table(folder / file).to_pylist()]
        for name, files in landing.files.items()
    }
    return tables, landing
