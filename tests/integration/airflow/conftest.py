"""An Airflow of the tests' own: its home in a temporary folder, SQLite, nothing listening."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
import pytest

ROOT = Path(__file__).parents[3]
BIN = Path(sys.executable).parent


@dataclass(frozen=True)
class Airflow:
    """Runs DAGs in a process of their own, as `dag.test()` does, and says how each task ended."""

    home: Path
    env: dict[str, str]
    varve: Path = BIN / "varve"

    def run(self, config: Path, dag_id: str, *runs: dict[str, Any]) -> list[dict[str, Any]]:
        """One run after the other; `run_dags.py` says what a run may ask for and what it gives back."""
        asked, answered = config.with_suffix(".asked.json"), config.with_suffix(".answered.json")
        asked.write_text(json.dumps({"dag_id": dag_id, "runs": runs}))
        self.call(
            [sys.executable, Path(__file__).with_name("run_dags.py"), asked, answered],
            VARVE_CONFIG=str(config),
        )
        answers: list[dict[str, Any]] = json.loads(answered.read_text())
        return answers

    def call(self, command: list[str | Path], **env: str) -> str:
        """What the command wrote to standard output; fails the test with all it wrote when it failed."""
        with _ended_with_the_test(command, self.env | env, self.home) as process:
            out, err = process.communicate(timeout=900)
        assert process.returncode == 0, f"{command} ended with {process.returncode}\n{out}\n{err}"
        return out


@contextmanager
def _ended_with_the_test(
    command: list[str | Path], env: dict[str, str], folder: Path
) -> Iterator[subprocess.Popen[str]]:
    """A process in a session of its own; Airflow's commands have theirs, so each one is ended by itself."""
    pipe = subprocess.PIPE
    process = subprocess.Popen(
        command, env=env, cwd=folder, stdout=pipe, stderr=pipe, text=True, start_new_session=True
    )
    try:
        yield process
    except BaseException:
        started = psutil.Process(process.pid)
        for left in [*started.children(recursive=True), started]:
            with suppress(psutil.NoSuchProcess):
                left.kill()
        raise


@pytest.fixture(scope="session")
def airflow(tmp_path_factory: pytest.TempPathFactory) -> Airflow:
    home = tmp_path_factory.mktemp("airflow")
    foreign = ("AIRFLOW", "VARVE")
    env = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
    env |= {
        "AIRFLOW_HOME": str(home),
        "AIRFLOW__CORE__DAGS_FOLDER": str(ROOT / "dags"),
        "AIRFLOW__CORE__LOAD_EXAMPLES": "False",
        "AIRFLOW__API__HOST": "127.0.0.1",
    }
    made = Airflow(home, env)
    made.call([BIN / "airflow", "db", "migrate"])
    made.call([BIN / "airflow", "pools", "import", ROOT / "dags" / "pools.json"])
    return made
