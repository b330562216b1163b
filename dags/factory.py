"""Makes the DAG of one cluster, and that of the upkeep. Their tasks call the commands that a person would type, and nothing else."""

import shlex
import sys
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from airflow.providers.standard.operators.bash import BashOperator
from airflow.providers.standard.operators.latest_only import LatestOnlyOperator
from airflow.sdk import DAG, TriggerRule

from jobs.lake.snapshot_id import snapshot_id_at
from jobs.settings import ClusterSettings
from schemas.judgement import Severity

SPARK_POOL = "varve_spark"
"""The pool that bounds the Spark drivers on one machine; `dags/pools.json` makes it."""

_SNAPSHOT_ID = "{{ snapshot_id_at(dag_run.logical_date or dag_run.run_after) }}"
"""It is the same for every task and every try of a run. A run that is triggered by hand may have no logical date."""

_RUN_BEGAN = "{{ dag_run.start_date.isoformat() }}"

_DEFAULT_ARGS = {
    "owner": "varve",
    "retries": 2,
    "retry_delay": timedelta(seconds=30),
    "execution_timeout": timedelta(hours=1),
}

_DOC = """\
Takes a snapshot of the Kafka cluster **{cluster}** and lays it down in the lake.

| task | what it does | when it is red |
|---|---|---|
| `latest_only` | lets only the newest scheduled run go on; late runs are skipped, because the past cannot be read any more | read its log |
| `collect_*` | reads one source into landing | that source could not be read; the others go on and the snapshot is partial |
| `process` | Spark: tables, events, checks, commit, expectations | nothing of this snapshot is visible, unless the expectations alone failed; clear the task to try again |
| `report` | writes the HTML report | the snapshot is in the lake, the page is the one before |
| `tell_findings` | tells findings that got worse | something is wrong in Kafka since this run: read its log; it is told once |

Clearing a task is safe: the snapshot keeps its id, and what is there already is not written twice.
"""


_MAINTAIN_DOC = """\
Drops the past that `history` in varve.yaml does not keep, merges small files and frees the disk. Every snapshot does a part of
this; a task that is red can wait for the next day.
"""


def cluster_dag(cluster: ClusterSettings, config: Path) -> DAG:
    """The DAG `varve_<cluster>`: a `collect` per configured source, then `process`, then `report` and `tell_findings`.

    `config` is the absolute path of the `varve.yaml` the commands read.
    """
    dag = DAG(
        dag_id=f"varve_{cluster.name}",
        description=f"Snapshots of the Kafka cluster {cluster.name}",
        doc_md=_DOC.format(cluster=cluster.name),
        schedule=cluster.schedule,
        start_date=datetime(2024, 1, 1, tzinfo=UTC),
        catchup=False,
        max_active_runs=1,
        tags={"varve"},
        user_defined_macros={"snapshot_id_at": snapshot_id_at},
        default_args=_DEFAULT_ARGS,
    )
    with dag:
        latest_only = LatestOnlyOperator(task_id="latest_only")
        collects = [
            _command(
                f"collect_{source}", config, f"collect {cluster.name} {source} --snapshot-id {_SNAPSHOT_ID}"
            )
            for source in cluster.sources
        ]
        process = _command("process", config, f"process {cluster.name} --snapshot-id {_SNAPSHOT_ID}")
        process.trigger_rule = TriggerRule.ALL_DONE_MIN_ONE_SUCCESS
        process.pool = SPARK_POOL
        report = _command("report", config, f"report --cluster {cluster.name}")
        latest_only >> collects >> process >> report
        if cluster.alarm:
            process >> _tell_findings(cluster.name, cluster.alarm, config)
    return dag


def _tell_findings(cluster: str, alarm: Severity, config: Path) -> BashOperator:
    """A task that fails when this run's snapshots brought a finding to tell, so that whoever hears of red tasks hears of it.

    It is not tried again: a second look finds the same. It also looks when `process` failed, which it may do after its commit.
    """
    task = _command(
        "tell_findings",
        config,
        f"findings --cluster {cluster} --since {_RUN_BEGAN} --fail-on {alarm}",
    )
    task.retries = 0
    task.trigger_rule = TriggerRule.NONE_SKIPPED
    return task


def maintain_dag(clusters: Sequence[ClusterSettings], config: Path) -> DAG:
    """The DAG `varve.maintain`: the upkeep of each cluster, once a day. No cluster can have a name with a dot."""
    dag = DAG(
        dag_id="varve.maintain",
        description="The upkeep of the lake",
        doc_md=_MAINTAIN_DOC,
        schedule="30 3 * * *",
        start_date=datetime(2024, 1, 1, tzinfo=UTC),
        catchup=False,
        max_active_runs=1,
        tags={"varve"},
        default_args=_DEFAULT_ARGS,
    )
    with dag:
        for cluster in clusters:
            # Whoever holds the pool's slot writes tables: the two would refuse each other.
            _command(f"maintain_{cluster.name}", config, f"maintain {cluster.name}").pool = SPARK_POOL
    return dag


def _command(task_id: str, config: Path, words: str) -> BashOperator:
    varve = Path(sys.executable).with_name("varve")
    return BashOperator(
        task_id=task_id,
        bash_command=f"{shlex.quote(str(varve))} --config {shlex.quote(str(config))} {words}",
        skip_on_exit_code=None,
        do_xcom_push=False,
    )
