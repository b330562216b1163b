from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from jobs.landing.landing import Landing
from jobs.secrets import Redactor
from jobs.sources.kafka.collect import collect
from jobs.sources.kafka.settings import Settings
from jobs.storage import open_storage
from schemas.snapshots import Gap

Rows = dict[str, list[dict[str, Any]]]


@pytest.fixture
def land(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Settings], tuple[Rows, list[Gap]]]:
    """`land(settings)` collects and gives what landed: the rows of each table, and the gaps."""

    def collect_and_read(settings: Settings) -> tuple[Rows, list[Gap]]:
        folder = tmp_path_factory.mktemp("landing")
        landing = Landing(open_storage(folder), "kafka", Redactor(None))
        collect(settings, landing)
        landing.flush()
        return {name: _rows(folder, files) for name, files in landing.files.items()}, landing.gaps

    return collect_and_read


def _rows(folder: Path, files: list[str]) -> list[dict[str, Any]]:
    return [row for file in files for row in pq.read_table(folder / file).to_pylist()]


@pytest.fixture
def passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    """The environment of settings that name `${RIGHT}` or `${WRONG}`."""
    monkeypatch.setenv("RIGHT", "right")
    monkeypatch.setenv("WRONG", "canary-4711")
