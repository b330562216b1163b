"""Runs a DAG some times by `dag.test()`, in a process that has an AIRFLOW_HOME of its own.

Reads `{"dag_id": …, "runs": [{…}]}` from the first argument, a file. A run may have `logical_date` (ISO, null as for a run
triggered by hand), `run_type`, and `mark_success`, a pattern of tasks to call successful without running them. Writes to the
second argument `[{"state": …, "tasks": {task: state}, "commands": {task: rendered command}}]`.
"""

import json
import sys
from datetime import datetime
from pathlib import Path
from typing import Any
from unittest.mock import patch

from airflow.configuration import conf
from airflow.dag_processing.dagbag import DagBag
from airflow.models import dagrun
from airflow.models.renderedtifields import RenderedTaskInstanceFields
from airflow.utils.session import create_session

get_or_create_dagrun = dagrun.get_or_create_dagrun


def run(dag: Any, logical_date: str | None, run_type: str = "manual", mark_success: str | None = None) -> Any:
    def create(**given: Any) -> dagrun.DagRun:
        created = get_or_create_dagrun(**given)
        created.run_type = run_type
        given["session"].commit()
        return created

    moment = datetime.fromisoformat(logical_date) if logical_date else None
    with patch.object(dagrun, "get_or_create_dagrun", create):
        ended = dag.test(logical_date=moment, mark_success_pattern=mark_success)
    with create_session() as session:
        tasks = {ti.task_id: str(ti.state) for ti in ended.get_task_instances(session=session)}
        fields = {
            ti.task_id: RenderedTaskInstanceFields.get_templated_fields(ti, session=session) or {}
            for ti in ended.get_task_instances(session=session)
        }
    commands = {task: rendered.get("bash_command") for task, rendered in fields.items()}
    return {
        "state": str(ended.state),
        "run_after": ended.run_after.isoformat(),
        "tasks": tasks,
        "commands": commands,
    }


asked = json.loads(Path(sys.argv[1]).read_text())
dag = DagBag(conf.get("core", "dags_folder")).dags[asked["dag_id"]]
for task in dag.tasks:
    task.retries = 0  # what happens after the last try is asked here
Path(sys.argv[2]).write_text(json.dumps([run(dag, **wanted) for wanted in asked["runs"]]))
