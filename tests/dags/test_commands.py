"""The tasks call the command line in words it understands."""

import shlex
import sys
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from jobs.cli import parse as parse_words

LOGICAL = datetime(2026, 11, 21, 0, 30, tzinfo=UTC)


def words(dag: Any, task_id: str, logical_date: datetime | None = LOGICAL) -> list[str]:
    """The words the shell would see of a task's command, rendered for that run."""
    dag_run = SimpleNamespace(
        logical_date=logical_date,
        run_after=datetime(2026, 11, 21, 0, 34, 56, tzinfo=UTC),
        start_date=datetime(2026, 11, 21, 0, 35, tzinfo=UTC),
    )
    template = dag.get_template_env().from_string(dag.task_dict[task_id].bash_command)
    return shlex.split(template.render(dag_run=dag_run, **(dag.user_defined_macros or {})))


@pytest.mark.parametrize(
    ("task_id", "command", "expected"),
    [
        (
            "collect_zookeeper",
            "collect",
            {"cluster": "orders", "source": "zookeeper", "snapshot_id": "20261121T003000Z"},
        ),
        (
            "collect_kafka",
            "collect",
            {"cluster": "orders", "source": "kafka", "snapshot_id": "20261121T003000Z"},
        ),
        (
            "collect_log_dirs",
            "collect",
            {"cluster": "orders", "source": "log_dirs", "snapshot_id": "20261121T003000Z"},
        ),
        ("process", "process", {"clusters": ["orders"], "every": False, "snapshot_id": "20261121T003000Z"}),
        ("report", "report", {"cluster": "orders"}),
        (
            "tell_findings",
            "findings",
            {
                "cluster": "orders",
                "everything": False,
                "since": "2026-11-21T00:35:00+00:00",
                "fail_on": "critical",
                "form": "table",
            },
        ),
        ("maintain_orders", "maintain", {"cluster": "orders", "dry_run": False}),
    ],
)
def test_the_command_line_understands_each_task(
    dagbag: Any, tmp_path: Path, task_id: str, command: str, expected: dict[str, str]
) -> None:
    dag = dagbag.dags["varve.maintain" if command == "maintain" else "varve_orders"]
    context = parse_words(words(dag, task_id)[1:])
    assert context.info_name == command
    assert context.params == expected
    assert context.parent is not None
    assert context.parent.params == {"config": tmp_path / "our clusters" / "varve.yaml"}


def test_every_task_but_the_first_calls_the_varve_of_this_environment(dagbag: Any) -> None:
    for dag in dagbag.dags.values():
        for task in dag.tasks:
            if task.task_id != "latest_only":
                assert words(dag, task.task_id)[0] == str(Path(sys.executable).parent / "varve")


def test_a_run_without_a_logical_date_takes_its_id_from_the_moment_it_was_asked_for(dagbag: Any) -> None:
    assert words(dagbag.dags["varve_orders"], "process", None)[-1] == "20261121T003456Z"


def test_the_alarm_of_a_cluster_is_as_severe_as_its_settings_say(parse: Any) -> None:
    orders = (
        'lake: ./lake\nclusters: [{{name: orders, kafka: {{bootstrap_servers: "b1:9092"}}, alarm: {}}}]\n'
    )
    told = words(parse(orders.format("warning")).dags["varve_orders"], "tell_findings")
    assert told[-2:] == ["--fail-on", "warning"]


def test_a_cluster_without_an_alarm_has_no_task_that_tells(parse: Any) -> None:
    dag = parse(
        'lake: ./lake\nclusters: [{name: orders, kafka: {bootstrap_servers: "b1:9092"}, alarm: null}]\n'
    ).dags["varve_orders"]
    assert sorted(dag.task_dict) == ["collect_kafka", "latest_only", "process", "report"]


def test_no_exit_code_of_a_command_means_skipped(dagbag: Any) -> None:
    assert dagbag.dags["varve_orders"].task_dict["collect_kafka"].skip_on_exit_code == []
