"""An unclean election of partitions whose last replica in sync is gone: what exactly is lost, and what is not.

Broker 3 has the first 10 records of each topic, broker 2 the first 20, and broker 1, the only one in the ISR, all 30.
"""

import re
import shutil

import pytest

from jobs.lab.kraft_mode import KRaftCluster
from jobs.lab.topics import create_topic, produce
from jobs.lab.zookeeper_mode import ZooKeeperCluster
from tests.integration.pages.followed import Followed

CHECK = "offline-partition"
ELECT = "--election-type unclean"
LOST = ("ledger", "journal", "rash")


@pytest.fixture(scope="module")
def bereft(followed: Followed) -> Followed:
    """Broker 1 died, the only one in the ISR of three topics, of which broker 3 comes before broker 2; topic safe lies on others."""
    cluster = followed.cluster
    for topic in LOST:
        create_topic(cluster.bootstrap_servers, topic, [[1, 3, 2]])
    create_topic(cluster.bootstrap_servers, "safe", [[2, 3]])
    produce(cluster.bootstrap_servers, "safe", 10)
    for stopped in (3, 2, 1):
        for topic in LOST:
            produce(followed.living, topic, 10)
        if stopped == 1:
            followed.look()
            cluster.brokers[1].jvm.kill()
        else:
            cluster.stop_broker(stopped)
    for started in (2, 3):
        cluster.brokers[started].jvm.start()
    cluster.wait_for_brokers((2, 3))
    followed.wait_for_isr("safe", {2, 3})
    return followed


def _held(followed: Followed, broker_id: int, topic: str) -> int:
    """How many records are on the disk of a broker, as the runbook's command shows."""
    file = followed.on_disk(broker_id, topic)
    told = followed.printed(CHECK, "kafka-dump-log.sh", {"FILE": str(file)})
    return 1 + max((int(found) for found in re.findall(r"lastOffset: (\d+)", told)), default=-1)


def test_while_the_last_one_in_sync_is_away_nobody_leads_whatever_is_elected_otherwise(
    bereft: Followed,
) -> None:
    listed = bereft.printed(CHECK, "--unavailable-partitions")
    assert {topic for topic in (*LOST, "safe") if f"Topic: {topic}" in listed} == set(LOST)
    preferred = bereft.run("leader-imbalance", "--election-type preferred")
    assert preferred.returncode == 1
    assert "PREFERRED) for partition: ledger-0" in preferred.stdout
    assert {bereft.leader(topic) for topic in LOST} == {-1}


def test_an_unclean_election_of_a_partition_with_a_leader_changes_nothing(bereft: Followed) -> None:
    before = bereft.told("safe")
    told = bereft.printed(CHECK, ELECT, {"TOPIC": "safe", "PARTITION": "0"})
    assert "Valid replica already elected for partitions safe-0" in told
    assert (bereft.told("safe"), bereft.records("safe")) == (before, 10)


def test_the_disks_say_which_replica_holds_the_most(bereft: Followed) -> None:
    assert {broker_id: _held(bereft, broker_id, "ledger") for broker_id in (1, 2, 3)} == {1: 30, 2: 20, 3: 10}


def test_the_first_living_replica_is_elected_and_the_others_are_cut_to_it(bereft: Followed) -> None:
    told = bereft.printed(CHECK, ELECT, {"TOPIC": "ledger", "PARTITION": "0"})
    assert "Successfully completed leader election (UNCLEAN) for partitions ledger-0" in told
    bereft.wait_for_isr("ledger", {2, 3})
    assert (bereft.leader("ledger"), bereft.records("ledger")) == (3, 10)
    assert _held(bereft, 2, "ledger") == 10


def test_while_those_before_it_are_down_the_one_that_holds_the_most_is_elected(bereft: Followed) -> None:
    cannot = bereft.run("standing-risk", "--execute", {"FILE": str(bereft.assignment("journal", [2, 3, 1]))})
    assert "Unknown broker id 1" in cannot.stdout, "nobody can put another one first"
    bereft.cluster.stop_broker(3)
    bereft.printed(CHECK, ELECT, {"TOPIC": "journal", "PARTITION": "0"})
    bereft.wait_for_leader("journal", 2)
    bereft.cluster.start_broker(3)
    bereft.wait_for_isr("journal", {2, 3})
    assert (bereft.leader("journal"), bereft.records("journal")) == (2, 20)


def test_the_setting_elects_without_asking_in_zookeeper_mode(bereft: Followed) -> None:
    setting = "unclean.leader.election.enable=true"
    if isinstance(bereft.cluster, ZooKeeperCluster):
        bereft.tool(
            "kafka-configs.sh",
            "--alter",
            "--entity-type",
            "topics",
            "--entity-name",
            "rash",
            "--add-config",
            setting,
        )
        bereft.wait_for_leader("rash", 3)
        assert bereft.records("rash") == 10


def test_what_is_lost_is_found(bereft: Followed) -> None:
    bereft.look()
    lost = bereft.found("data-lost")
    assert {
        subject: (severity, facts["lost_from"], facts["lost_until"], facts["still_on"])
        for subject, (severity, facts) in lost.items()
        if subject != "rash-0"
    } == {"ledger-0": ("critical", 10, 30, [1]), "journal-0": ("critical", 20, 30, [1])}
    assert "Topic: ledger" in bereft.printed("under-replicated-partition", "--under-replicated-partitions")


def test_the_one_that_had_everything_is_cut_as_well_when_it_comes_back(bereft: Followed) -> None:
    bereft.cluster.start_broker(1)
    bereft.cluster.wait_until_in_sync()
    _are_as_elected(bereft)
    assert bereft.printed("under-replicated-partition", "--under-replicated-partitions").strip() == ""
    assert bereft.printed(CHECK, "--unavailable-partitions").strip() == ""


def test_a_preferred_election_loses_no_more(bereft: Followed) -> None:
    bereft.printed("leader-imbalance", "--election-type preferred")
    for topic in ("ledger", "journal"):
        bereft.wait_for_leader(topic, 1)
    told = bereft.printed("leader-imbalance", "--describe")
    assert re.search(r"Topic: journal\s+Partition: 0\s+Leader: 1\s+Replicas: 1,3,2", told)
    _are_as_elected(bereft)


def test_once_no_partition_names_it_the_broker_may_come_back_on_an_empty_disk(bereft: Followed) -> None:
    cluster = bereft.cluster
    cluster.stop_broker(1)
    for topic in ("ledger", "journal", "safe"):
        assert 1 not in bereft.isr(topic)
    for log_dir in cluster.log_dirs(1):
        shutil.rmtree(log_dir)
        log_dir.mkdir()
    if isinstance(cluster, KRaftCluster):
        cluster._format_and_start(cluster.brokers[1])
        cluster.wait_for_brokers((1, 2, 3))
    else:
        cluster.start_broker(1)
    cluster.wait_until_in_sync()
    _are_as_elected(bereft)


def _are_as_elected(followed: Followed) -> None:
    """What was elected is what there is, on broker 1 as well."""
    assert {topic: followed.records(topic) for topic in ("ledger", "journal")} == {
        "ledger": 10,
        "journal": 20,
    }
    assert {topic: _held(followed, 1, topic) for topic in ("ledger", "journal")} == {
        "ledger": 10,
        "journal": 20,
    }
