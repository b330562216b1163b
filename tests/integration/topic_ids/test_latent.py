"""A topic loses its id under load: seen, planned, cured as printed, and nothing is lost. The tests go on from each other."""

import json
from pathlib import Path
from typing import Any

import pytest

from jobs.lab.distribution import add_partitions_with_old_tool
from jobs.plans.places import Places

CHROOT = "/kafka_cluster_01"
LATENT = {("topic-id-latent", "orders", "warning")}


def lose_id(lab: Any, partitions: int) -> None:
    add_partitions_with_old_tool(lab.cluster.zookeeper_connect, "orders", partitions)
    lab.cluster.wait_until_in_sync()
    assert lab.cluster.topic_id("orders") is None


def confidence(lab: Any) -> str:
    (row,) = lab.ask(
        "SELECT evidence->>'confidence' AS confidence FROM findings WHERE check_id = 'topic-id-latent'"
    )
    return str(row["confidence"])


def kill_another_than_the_controller(lab: Any) -> int:
    """If the controller went, the next one would mint an id."""
    broker_id = next(each for each in lab.cluster.brokers if each != lab.cluster.controller_id())
    lab.cluster.kill_broker(broker_id)
    return int(broker_id)


def test_a_healthy_cluster_has_no_finding_and_no_plan(lab: Any) -> None:
    assert (lab.findings(), lab.plan(), lab.why_not_elect()) == (set(), [], "")


def test_the_plan_reassigns_one_partition_and_as_printed_it_brings_the_id_back(lab: Any, load: Any) -> None:
    before = lab.cluster.topic_id("orders")
    lose_id(lab, 5)
    lab.snapshot()
    assert lab.events() == {("topic-id-lost", "orders")}
    assert lab.findings() == LATENT
    assert "topic-id-latent): 1 topic (orders)" in lab.why_not_elect()
    (step,) = lab.plan()
    assert "kafka-reassign-partitions.sh" in step["run"]
    assert f'"topic_id":"{before}"' in lab.take(step)
    load.wait_for_more()
    lab.snapshot()
    assert lab.events() == {("topic-id-restored", "orders")}
    assert (lab.findings(), lab.plan(), lab.why_not_elect()) == (set(), [], "")


@pytest.mark.usefixtures("load")
def test_neither_an_unreadable_host_nor_no_disk_at_all_hides_it(
    lab: Any, varve_here: Any, tmp_path: Path
) -> None:
    before = lab.cluster.topic_id("orders")
    lose_id(lab, 6)
    entry = lab.cluster.settings("lab")
    elsewhere = type(lab)(tmp_path, lab.cluster, varve_here)
    _, *others = entry["log_dirs"]
    for broker in others:
        broker["local"] = [str(tmp_path / "unmounted")]
    elsewhere.watch(entry)
    elsewhere.snapshot()
    assert elsewhere.findings() == LATENT
    assert confidence(elsewhere) == "high"
    (step,) = elsewhere.plan()
    lab.run(step["run"])
    assert lab.cluster.topic_id("orders") == before
    lose_id(lab, 7)
    blind = type(lab)(tmp_path / "blind", lab.cluster, varve_here)
    blind.watch({name: value for name, value in entry.items() if name != "log_dirs"})
    blind.snapshot()
    assert blind.findings() == LATENT
    assert confidence(blind).startswith("lower")
    (step,) = blind.plan()
    assert "topic_id" in blind.take(step)
    assert lab.cluster.topic_id("orders") == before


def test_with_a_broker_down_the_reassignment_is_not_printed_since_it_would_not_work(
    lab: Any, load: Any
) -> None:
    before = lab.cluster.topic_id("orders")
    lose_id(lab, 8)
    killed = kill_another_than_the_controller(lab)
    lab.snapshot()
    assert lab.findings() == LATENT
    (step,) = lab.plan()
    assert "zookeeper-shell.sh" in step["run"]
    assert "kafka-reassign-partitions.sh" not in step["run"]
    places = Places(lab.cluster.zookeeper.address, CHROOT, lab.cluster.bootstrap_servers)
    assert lab.shell(places.reassign("orders", 0, [1, 2, 3])).returncode != 0
    assert lab.cluster.topic_id("orders") is None
    assert f'"topic_id":"{before}"' in lab.take(step)
    lab.cluster.start_broker(killed)
    lab.cluster.wait_until_in_sync()
    load.wait_for_more()
    lab.snapshot()
    assert (lab.findings(), lab.plan()) == (set(), [])


def test_the_znode_write_is_refused_when_somebody_wrote_since_the_snapshot(lab: Any) -> None:
    lose_id(lab, 9)
    killed = kill_another_than_the_controller(lab)
    lab.snapshot()
    (step,) = lab.plan()
    with lab.cluster.client() as client:
        data, _ = client.get("/brokers/topics/orders")
        client.set("/brokers/topics/orders", data)
    assert lab.shell(step["run"]).returncode != 0
    assert lab.cluster.topic_id("orders") is None
    lab.snapshot()
    (again,) = lab.plan()
    lab.take(again)
    lab.cluster.start_broker(killed)
    lab.cluster.wait_until_in_sync()


def test_after_the_cure_elections_change_nothing_and_no_record_is_lost(lab: Any, load: Any) -> None:
    before = lab.cluster.topic_id("orders")
    lab.cluster.delete_controller()
    assert lab.cluster.topic_id("orders") == before
    lab.cluster.wait_until_in_sync()
    lab.snapshot()
    assert lab.findings() == set()
    (resolved,) = lab.ask("SELECT status, became FROM findings WHERE check_id = 'topic-id-latent'")
    assert resolved == {"status": "resolved", "became": None}
    acknowledged, readable = load.end()
    assert len(acknowledged) > 300
    assert acknowledged - readable == set()
    with lab.cluster.client() as client:
        assert json.loads(client.get("/brokers/topics/orders")[0])["version"] == 3
