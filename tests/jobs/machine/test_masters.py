"""Whether a Spark cluster answers, before Spark asks it for a minute."""

import socket

import pytest

from jobs.errors import VarveError
from jobs.machine.masters import check_master
from jobs.spark_settings import SparkSettings


def test_a_cluster_none_of_whose_masters_answers_is_said_at_once() -> None:
    with pytest.raises(VarveError) as told:
        check_master(SparkSettings(master="spark://127.0.0.1:1,127.0.0.1:2"))
    assert str(told.value) == (
        "No master of Spark answers at spark://127.0.0.1:1,127.0.0.1:2 (127.0.0.1:1: Connection refused; "
        "127.0.0.1:2: Connection refused): start it, compare spark.master in varve.yaml with the address that its web page "
        "shows, or remove spark.master to run on this host"
    )


def test_one_master_that_answers_is_enough() -> None:
    with socket.create_server(("127.0.0.1", 0)) as standby:
        check_master(SparkSettings(master=f"spark://127.0.0.1:1,127.0.0.1:{standby.getsockname()[1]}"))


@pytest.mark.parametrize("master", ["local[2]", "yarn", "k8s://https://nowhere.invalid:6443"])
def test_other_masters_are_asked_by_spark(master: str) -> None:
    check_master(SparkSettings(master=master))
