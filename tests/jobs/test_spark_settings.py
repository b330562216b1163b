"""Where Spark runs, as varve.yaml says."""

from pathlib import Path

import pytest

from jobs.errors import SettingsError
from tests.jobs.varve_yaml import Load

ON_CLUSTER = """\
lake: s3://kafka-varve/prod
spark:
  master: spark://spark:7077
  conf: {spark.executor.memory: 4g, spark.executor.cores: 2, spark.dynamicAllocation.enabled: false}
clusters:
  - name: orders
    zookeeper: {connect: "zk1:2181"}
"""
IN_A_FOLDER = ON_CLUSTER.replace("s3://kafka-varve/prod", "./lake")


def test_spark_runs_on_this_host_unless_a_master_is_named(load: Load) -> None:
    settings = load("lake: ./lake\nclusters: [{name: orders, zookeeper: {connect: 'zk1:2181'}}]\n")
    assert (settings.spark.master, settings.spark.is_local) == ("local[2]", True)


def test_a_cluster_and_what_its_executors_get(load: Load) -> None:
    spark = load(ON_CLUSTER).spark
    assert (spark.master, spark.is_local) == ("spark://spark:7077", False)
    assert spark.conf == {
        "spark.executor.memory": "4g",
        "spark.executor.cores": "2",
        "spark.dynamicAllocation.enabled": "false",
    }


@pytest.mark.parametrize(
    "master", ["local[*]", "local", "spark://a:7077,b:7077", "yarn", "k8s://https://k8s:6443"]
)
def test_every_kind_of_master(load: Load, master: str) -> None:
    assert load(ON_CLUSTER.replace("spark://spark:7077", master)).spark.is_local == master.startswith("local")


def test_a_folder_that_workers_do_not_see_is_refused(load: Load) -> None:
    with pytest.raises(SettingsError) as told:
        load(IN_A_FOLDER)
    assert str(told.value).partition("varve.yaml, ")[2] == (
        "line 1: lake: is a folder, and the workers of spark://spark:7077 would write to disks of their own: name an object "
        "store, or set spark.lake_is_mounted to true where every host of that cluster has this folder mounted"
    )


@pytest.mark.parametrize(
    "text",
    [
        IN_A_FOLDER.replace("  conf:", "  lake_is_mounted: true\n  conf:"),
        IN_A_FOLDER.replace("spark://spark:7077", "local[4]"),
    ],
)
def test_a_folder_that_whoever_writes_sees(load: Load, tmp_path: Path, text: str) -> None:
    assert load(text).lake == tmp_path / "lake"


@pytest.mark.parametrize(
    ("right", "wrong", "told"),
    [
        (
            "spark://spark:7077",
            "spark:7077",
            "line 3: spark.master: 'spark:7077' is no master of Spark: name local[N], ",
        ),
        ("  conf", "  config", "line 4: spark.config: there is no such setting"),
        (
            "spark.executor.memory",
            "executor.memory",
            "line 4: spark.conf.executor.memory: is no setting of Spark",
        ),
        (
            "spark.executor.memory: 4g",
            "spark.sql.session.timeZone: CET",
            "line 4: spark.conf.spark.sql.session.timeZone: is set by Varve, whose lake depends on it: remove it",
        ),
        (
            "spark.executor.memory: 4g",
            "spark.hadoop.fs.s3a.secret.key: hunter2",
            "line 4: spark.conf.spark.hadoop.fs.s3a.secret.key: would stand on a command line that everybody on the host "
            "can read: the lake's keys belong to `storage`",
        ),
    ],
)
def test_a_wrong_way_to_a_cluster(load: Load, right: str, wrong: str, told: str) -> None:
    with pytest.raises(SettingsError) as complained:
        load(ON_CLUSTER.replace(right, wrong))
    assert str(complained.value).partition("varve.yaml, ")[2].startswith(told)
    assert "hunter2" not in str(complained.value)
