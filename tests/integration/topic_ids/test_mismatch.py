"""A new id was minted under load: seen, planned, cured as printed, and nothing is lost. The tests go on from each other."""

from pathlib import Path
from typing import Any

from jobs.lab.distribution import add_partitions_with_old_tool
from jobs.lab.jvm import wait_until

MISMATCH = ("topic-id-mismatch", "orders", "critical")


def mint(lab: Any, partitions: int) -> None:
    """The id is lost, the controller moves, and broker 1 restarts: it cannot rejoin."""
    lab.cluster.wait_until_in_sync()
    add_partitions_with_old_tool(lab.cluster.zookeeper_connect, "orders", partitions)
    lab.cluster.wait_until_in_sync()
    lab.cluster.delete_controller()
    lab.cluster.stop_broker(1)
    lab.cluster.start_broker(1)


def ids_on_disk(lab: Any) -> set[str]:
    files = [
        file
        for broker_id in lab.cluster.brokers
        for log_dir in lab.cluster.log_dirs(broker_id)
        for file in log_dir.glob("orders-*/partition.metadata")
    ]
    return {file.read_text().split("topic_id: ")[1].strip() for file in files}


def set_aside(lab: Any) -> list[str]:
    dirs = [Path(f"{path}.aside") for broker in lab.cluster.brokers for path in lab.cluster.log_dirs(broker)]
    return sorted(each.name for folder in dirs if folder.exists() for each in folder.iterdir())


def test_the_latent_finding_says_that_it_became_the_outage(lab: Any, load: Any) -> None:
    assert load
    assert (lab.findings(), lab.plan(), lab.why_not_elect()) == (set(), [], "")
    add_partitions_with_old_tool(lab.cluster.zookeeper_connect, "orders", 4)
    lab.snapshot()
    assert lab.findings() == {("topic-id-latent", "orders", "warning")}
    mint(lab, 5)
    add_partitions_with_old_tool(lab.cluster.zookeeper_connect, "payments", 4)
    lab.cluster.wait_for_brokers([1, 2, 3])
    lab.snapshot()
    assert lab.findings() == {MISMATCH, ("topic-id-latent", "payments", "warning")}
    (was,) = lab.ask(
        "SELECT status, became FROM findings WHERE check_id = 'topic-id-latent' AND subject = 'orders'"
    )
    assert was == {"status": "resolved", "became": "topic-id-mismatch"}
    assert "(topic-id-mismatch): 1 topic (orders)" in lab.why_not_elect()
    assert "(topic-id-latent): 1 topic (payments)" in lab.why_not_elect()


def test_one_disk_that_contradicts_is_proof_though_the_other_hosts_cannot_be_read(
    lab: Any, load: Any, varve_here: Any, tmp_path: Path
) -> None:
    assert load
    entry = lab.cluster.settings("lab")
    _, *others = entry["log_dirs"]
    for broker in others:
        broker["local"] = [str(tmp_path / "unmounted")]
    elsewhere = type(lab)(tmp_path, lab.cluster, varve_here)
    elsewhere.watch(entry)
    elsewhere.snapshot()
    assert MISMATCH in elsewhere.findings()


def test_the_plan_defuses_the_other_topic_first_then_puts_the_id_back_and_elects_once(
    lab: Any, load: Any
) -> None:
    (right,) = ids_on_disk(lab)
    of_payments = lab.ask("SELECT DISTINCT topic_id FROM disk_replicas WHERE topic = 'payments'")
    defuse, put_back, elect = lab.plan()
    assert [step["subject"] for step in (defuse, put_back, elect)] == ["payments", "orders", "controller"]
    assert of_payments[0]["topic_id"] in lab.take(defuse)
    assert f'"topic_id":"{right}"' in lab.take(put_back)
    # What is printed before the election takes a snapshot and plans again: only the election is left.
    looked = lab.look(elect["before"])
    assert "1. controller" in looked
    assert "2. " not in looked
    assert lab.findings() == {MISMATCH}
    (told,) = lab.ask(
        "SELECT evidence FROM findings WHERE check_id = 'topic-id-mismatch' AND status = 'open'"
    )
    assert f'"cluster_topic_id":"{right}"' in told["evidence"]
    lab.run(elect["run"])
    lab.cluster.wait_until_in_sync()
    lab.look(elect["after"])
    load.wait_for_more()
    assert lab.cluster.topic_id("orders") == right
    assert lab.cluster.topic_id("payments") == of_payments[0]["topic_id"]
    lab.snapshot()
    assert (lab.findings(), lab.plan(), lab.why_not_elect()) == (set(), [], "")


def test_partitions_that_were_added_under_the_minted_id_keep_their_records(lab: Any, load: Any) -> None:
    (right,) = ids_on_disk(lab)
    mint(lab, 6)
    lab.run(
        f"kafka-topics.sh --bootstrap-server {lab.cluster.bootstrap_servers} --alter --topic orders --partitions 8"
    )
    wait_until(
        "the new partitions on disk",
        lambda: len(ids_on_disk(lab)) == 2,
        [node.jvm for node in lab.cluster.brokers.values()],
        60,
    )
    lab.snapshot()
    assert lab.findings() == {MISMATCH}
    put_back, elect, *moves = lab.plan()
    assert [step["subject"] for step in moves] == ["broker 1", "broker 2", "broker 3"]
    lab.take(put_back)
    lab.take(elect)
    for broker_id, step in enumerate(moves, 1):
        lab.look(step["before"])
        lab.cluster.stop_broker(broker_id)
        lab.run(step["run"])
        lab.cluster.start_broker(broker_id)
        lab.look(step["after"])
    lab.cluster.wait_until_in_sync()
    load.wait_for_more()
    assert ids_on_disk(lab) == {right}
    assert set_aside(lab) == sorted(["orders-6.partition.metadata", "orders-7.partition.metadata"] * 3)
    lab.snapshot()
    assert (lab.findings(), lab.plan()) == (set(), [])


def test_a_replica_out_of_sync_with_another_id_is_copied_anew(lab: Any) -> None:
    lab.cluster.stop_broker(3)
    (spoilt,) = [path / "orders-0" for path in lab.cluster.log_dirs(3) if (path / "orders-0").exists()]
    (spoilt / "partition.metadata").write_text("version: 0\ntopic_id: A1b2C3d4E5f6G7h8I9j0Kg")
    lab.cluster.start_broker(3)
    lab.snapshot()
    assert lab.findings() == {("topic-id-mismatch", "orders", "warning")}
    (step,) = lab.plan()
    assert step["subject"] == "broker 3"
    lab.look(step["before"])
    lab.cluster.stop_broker(3)
    lab.run(step["run"])
    assert "orders-0" in set_aside(lab)
    lab.cluster.start_broker(3)
    lab.cluster.wait_until_in_sync()
    lab.look(step["after"])
    lab.snapshot()
    assert (lab.findings(), lab.plan()) == (set(), [])


def test_no_record_that_was_acknowledged_is_lost(load: Any) -> None:
    acknowledged, readable = load.end()
    assert len(acknowledged) > 300
    assert acknowledged - readable == set()
