"""What every DAG here keeps to, and what to do where one does not."""

import json
from pathlib import Path
from typing import Any

POOLS = Path(__file__).parents[2] / "dags" / "pools.json"


def test_every_dag_file_is_imported(dagbag: Any) -> None:
    assert dagbag.import_errors == {}, "repair the file: none of its DAGs runs until then"


def test_there_is_one_dag_per_cluster_and_one_for_the_upkeep(dagbag: Any) -> None:
    assert sorted(dagbag.dags) == ["varve.maintain", "varve_audit-2", "varve_orders"]


def test_a_cluster_has_one_run_at_a_time(dagbag: Any) -> None:
    for dag in dagbag.dags.values():
        assert dag.max_active_runs == 1, f"{dag.dag_id}: set max_active_runs=1, a lake has one writer"


def test_the_past_is_not_caught_up(dagbag: Any) -> None:
    for dag in dagbag.dags.values():
        assert not dag.catchup, f"{dag.dag_id}: set catchup=False, yesterday's cluster cannot be read today"


def test_a_dag_says_what_it_is_and_whose(dagbag: Any) -> None:
    for dag in dagbag.dags.values():
        assert dag.doc_md, f"{dag.dag_id}: set doc_md, it is what the person at the red task reads"
        assert dag.tags == {"varve"}, f"{dag.dag_id}: set tags={{'varve'}}, people filter by it"
        assert dag.owner == "varve", f"{dag.dag_id}: set owner in default_args"


def test_a_task_is_tried_again_and_ends_in_time(dagbag: Any) -> None:
    for dag in dagbag.dags.values():
        for task in dag.tasks:
            tries_again = 0 if task.task_id == "tell_findings" else 2  # a second look finds the same
            assert task.retries == tries_again, f"{task}: leave retries to default_args"
            assert task.execution_timeout, f"{task}: a task that hangs stops its cluster's snapshots for good"


def test_what_writes_tables_and_only_that_waits_for_the_pool(dagbag: Any) -> None:
    for dag in dagbag.dags.values():
        pools = {task.task_id: task.pool for task in dag.tasks if task.pool != "default_pool"}
        writers = {"process"} & dag.task_dict.keys() or {"maintain_audit-2", "maintain_orders"}
        assert pools == dict.fromkeys(writers, "varve_spark"), f"{dag.dag_id}: a lake has one writer"


def test_the_pool_is_in_the_file_that_makes_it() -> None:
    pools = json.loads(POOLS.read_text(encoding="utf-8"))
    assert pools["varve_spark"]["slots"] == 1, (
        "dags/pools.json: tasks in a pool that does not exist wait for ever"
    )


def test_a_dag_follows_its_cluster_s_schedule_and_sources(dagbag: Any) -> None:
    orders, audit = dagbag.dags["varve_orders"], dagbag.dags["varve_audit-2"]
    assert orders.schedule == "*/5 * * * *"
    assert audit.schedule == "*/10 * * * *"
    assert sorted(orders.task_dict["process"].upstream_task_ids) == [
        "collect_kafka",
        "collect_log_dirs",
        "collect_zookeeper",
    ]
    assert sorted(audit.task_dict["process"].upstream_task_ids) == ["collect_kafka"]
