"""What made a snapshot is known whole: no module that decides what a table holds is left out of the code's version."""

import os
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

from jobs.process import version
from jobs.process.version import code_version, deciding_files

ROOT = Path(__file__).parents[3]
IMPORTED = """
import sys
from importlib import import_module

import expectations.validate, jobs.process.commit, jobs.process.expect, jobs.process.not_configured, jobs.process.raw
import jobs.process.events, jobs.process.judge, jobs.process.typed
from expectations.suites import rules_for
from jobs.checks.parts.check import all_checks
from jobs.events.parts.event import event_modules
from schemas.registry import derived, tables

all_checks(), event_modules(), [rules_for(table) for table in tables().values()]
for table in derived():
    import_module(f"jobs.tables.{table.name}")
rooms = ("jobs", "schemas", "expectations")
print(*(module.__file__ for name, module in sys.modules.items() if name.split(".")[0] in rooms), sep="\\n")
"""


def test_every_module_that_the_making_of_tables_imports_is_part_of_the_version() -> None:
    called = subprocess.run(
        [sys.executable, "-c", IMPORTED],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    imported = {Path(line) for line in called.stdout.splitlines()}
    assert ROOT / "jobs/tables/topics.py" in imported
    assert sorted(imported - set(deciding_files())) == []


@pytest.mark.parametrize("room", ["tables", "events", "checks", "process", "lake", "machine", "storage"])
def test_the_version_covers_each_room_that_takes_part(room: str) -> None:
    assert any(path.is_relative_to(ROOT / "jobs" / room) for path in deciding_files())


@pytest.mark.parametrize("engine", ["pyspark", "duckdb", "pyarrow"])
def test_another_version_of_an_engine_is_another_version_of_the_code(
    engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = code_version()
    monkeypatch.setattr(version, "version", lambda name: "99.0" if name == engine else metadata.version(name))
    code_version.cache_clear()
    try:
        assert code_version() != before
        assert code_version().partition("+")[0] == before.partition("+")[0]
    finally:
        code_version.cache_clear()
