"""A wrong `varve.yaml` is one import error that says where and what."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

WRONG = """\
lake: ./lake
clusters:
  - name: orders
    kafka: {bootstrap_servers: "b1:9092"}
    shedule: "@hourly"
"""


def test_a_wrong_settings_file_makes_one_import_error_naming_file_and_line(
    parse: Callable[[str], Any],
) -> None:
    dagbag = parse(WRONG)
    assert dagbag.dags == {}
    [message] = dagbag.import_errors.values()
    assert message.endswith(
        "/our clusters/varve.yaml, line 5: clusters.0.shedule: there is no such setting\n"
    )
    assert message.count("Traceback") == 1
    assert "pydantic" not in message


def test_without_a_settings_file_the_import_error_says_how_to_name_one(
    dags_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from airflow.dag_processing.dagbag import DagBag

    monkeypatch.setenv("VARVE_CONFIG", str(tmp_path / "varve.yaml"))
    [message] = DagBag(dags_folder).import_errors.values()
    assert message.endswith(
        "varve.yaml cannot be read (No such file or directory): write one, or name it with --config or $VARVE_CONFIG\n"
    )
