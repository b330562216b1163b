"""A trial by the steps of CONTRIBUTING.md: what `tests/data/contributing` adds to a copy of Varve works at once there.

It adds a source, a raw and a typed table, an event, a check, an expectation, a kind of object, a timeline and a command,
and changes no file.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
ADDED = ROOT / "tests/data/contributing"
PRODUCT = ("schemas", "jobs", "expectations")
LOG_DIR = ROOT / "tests/data/log_dirs/kraft-3.9.1/broker-1-d0"
FIRST, SECOND = "20261121T140000Z", "20261121T141000Z"
CALLS = """
import io, json, sys
from contextlib import redirect_stderr, redirect_stdout
from jobs.cli import main

told = []
for words in json.load(sys.stdin):
    sys.argv = ["varve", *words]
    with redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()) as err:
        try:
            main()
            code = 0
        except SystemExit as ended:
            code = ended.code or 0
    told.append([code, out.getvalue(), err.getvalue()])
print(json.dumps(told))
"""
"""Calls `varve` several times in one process, so that they share a Spark session."""

Told = list[Any]
Ask = Callable[[str], list[dict[str, Any]]]


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Varve with what was added."""
    copy = tmp_path_factory.mktemp("trial") / "varve"
    for room in PRODUCT:
        shutil.copytree(ROOT / room, copy / room, ignore=shutil.ignore_patterns("__pycache__"))
    for added in ADDED.rglob("*.*"):
        target = copy / added.relative_to(ADDED)
        assert not target.exists()
        target.parent.mkdir(exist_ok=True)
        shutil.copyfile(added, target)
    return copy


def _environment(copy: Path) -> dict[str, str]:
    return os.environ | {"PYTHONPATH": str(copy), "VARVE_CONFIG": str(copy / "varve.yaml")}


@pytest.fixture(scope="module")
def varve(copy: Path) -> Callable[..., list[Told]]:
    """`varve([words], [words])` calls it of the copy and gives the exit code and what was written, of each call."""

    def call(*calls: list[str]) -> list[Told]:
        done = subprocess.run(
            [sys.executable, "-c", CALLS],
            input=json.dumps(calls),
            env=_environment(copy),
            cwd=copy,
            capture_output=True,
            text=True,
            timeout=900,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        told: list[Told] = json.loads(done.stdout.splitlines()[-1])
        return told

    return call


@pytest.fixture(scope="module")
def lake(varve: Callable[..., list[Told]], copy: Path) -> list[Told]:
    """Two snapshots by the new source, between which broker 2 moved, then a bundle of another source."""
    moved = {"before": {"1": "Ada", "2": "Babbage"}, "after": {"1": "Ada", "2": "Ada"}}
    for moment, hosts in moved.items():
        (copy / f"{moment}.json").write_text(json.dumps(hosts))
        (copy / f"{moment}.yaml").write_text(
            "lake: ./lake\nclusters:\n"
            f"  - {{name: orders, inventory: {{file: {copy}/{moment}.json}}, log_dirs: [{{broker: 1, local: [{LOG_DIR}]}}]}}\n"
        )
    shutil.copyfile(copy / "after.yaml", copy / "varve.yaml")
    of = {"before": ["--config", "before.yaml"], "after": ["--config", "after.yaml"]}
    return varve(
        [*of["before"], "doctor"],
        [*of["before"], "collect", "orders", "inventory", "--snapshot-id", FIRST],
        [*of["before"], "process", "orders", "--snapshot-id", FIRST],
        [*of["after"], "collect", "orders", "inventory", "--snapshot-id", SECOND],
        [*of["after"], "process", "orders", "--snapshot-id", SECOND],
        ["import", str(LOG_DIR), "--cluster", "orders", "--at", "-0m"],
    )


@pytest.fixture(scope="module")
def ask(varve: Callable[..., list[Told]], lake: list[Told]) -> Ask:
    assert [(code, err) for code, _, err in lake if code] == []

    def rows(query: str) -> list[dict[str, Any]]:
        ((code, out, err),) = varve(["sql", query, "--format", "json"])
        assert code == 0, err
        found: list[dict[str, Any]] = json.loads(out)
        return found

    return rows


def test_the_generated_pages_list_what_was_added(copy: Path) -> None:
    (copy / "docs").mkdir()
    subprocess.run([sys.executable, "-m", "jobs.docs"], env=_environment(copy), cwd=copy, check=True)
    pages = {page.name: page.read_text(encoding="utf-8") for page in (copy / "docs").iterdir()}
    assert "## hosts" in pages["tables.md"]
    assert "## host_stays" in pages["tables.md"]
    assert "## shared-host" in pages["checks.md"]
    assert "| `broker-moved` | The broker runs on another machine. |" in pages["events.md"]


def test_doctor_asks_the_source(lake: list[Told], copy: Path) -> None:
    assert f"inventory {copy}/before.json" in lake[0][1]


def test_the_source_fills_its_table_and_the_typed_one(ask: Ask) -> None:
    assert ask("SELECT broker, host FROM inventory ORDER BY ALL") == [
        {"broker": "1", "host": "Ada"},
        {"broker": "2", "host": "Ada"},
    ]
    assert ask("SELECT broker_id, host, room FROM hosts ORDER BY ALL") == [
        {"broker_id": 1, "host": "ada", "room": None},
        {"broker_id": 2, "host": "ada", "room": None},
    ]


def test_the_event_is_told(ask: Ask) -> None:
    assert ask("SELECT event, subject, from_value, to_value FROM events") == [
        {"event": "broker-moved", "subject": "broker 2", "from_value": "babbage", "to_value": "ada"}
    ]


def test_the_check_opens_a_finding(ask: Ask) -> None:
    assert ask(
        "SELECT check_id, subject, severity, evidence FROM findings WHERE check_id = 'shared-host'"
    ) == [
        {
            "check_id": "shared-host",
            "subject": "host ada",
            "severity": "warning",
            "evidence": '{"brokers":[1,2]}',
        }
    ]


def test_the_expectation_is_asked_beside_those_that_follow_from_the_schema(ask: Ask) -> None:
    results = ask(
        f"SELECT DISTINCT expectation, success FROM expectation_results WHERE table_name = 'hosts' AND snapshot_id = '{SECOND}'"
    )
    assert {"expectation": "host is not empty", "success": True} in results
    assert {"expectation": "broker_id is never null", "success": True} in results


def test_the_life_of_the_kind_of_object_is_told_with_the_event(
    varve: Callable[..., list[Told]], lake: list[Told]
) -> None:
    assert lake
    told, differs = varve(
        ["history", "host", "2", "--format", "json"], ["diff", FIRST, SECOND, "host", "--format", "csv"]
    )
    versions = json.loads(told[1])
    assert [version["value"] for version in versions] == [{"host": "babbage"}, {"host": "ada"}]
    assert [event["event"] for event in versions[1]["events"]] == ["broker-moved"]
    assert differs[1].splitlines()[1] == "orders,host,2,changed,host,babbage,ada,0"


def test_the_timeline_is_a_view(ask: Ask) -> None:
    stays = ask(
        "SELECT broker_id, host, until IS NULL AS stands FROM host_stays WHERE broker_id = 2 ORDER BY since"
    )
    assert stays == [
        {"broker_id": 2, "host": "babbage", "stands": False},
        {"broker_id": 2, "host": "ada", "stands": True},
    ]


def test_a_bundle_without_the_source_is_imported_as_before(ask: Ask) -> None:
    assert ask("SELECT count(*) AS snapshots FROM snapshots") == [{"snapshots": 3}]
    assert len(ask("SELECT DISTINCT dir_name FROM disk_replicas")) > 2
    assert ask("SELECT DISTINCT is_current FROM hosts") == [{"is_current": False}]


def test_the_command_is_listed_and_answers(varve: Callable[..., list[Told]], lake: list[Told]) -> None:
    assert lake
    listed, answered = varve(["--help"], ["hosts", "--format", "csv"])
    assert "Which machine each broker runs on." in listed[1]
    assert answered[1] == "broker_id,host\n1,ada\n2,ada\n"
