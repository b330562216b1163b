"""Under KRaft an empty disk is not elected at once, but after another restart: until then the original one brings all back."""

from typing import Any

import pytest
from pyspark.sql import SparkSession

from jobs.lab.jvm import wait_until
from jobs.lab.kraft_mode import KRaftCluster
from jobs.lab.topics import create_topic, partitions_of, produce
from tests.integration.incidents.losing import LOST, Losing, empty, wait_for_checkpoint

OFFLINE = "SELECT cause_subject, remedy FROM findings WHERE check_id = 'offline-partition' AND status = 'open' AND subject = "
HELD = "SELECT high_watermark FROM admin_offsets WHERE topic = 'ledger' ORDER BY snapshot_id DESC LIMIT 1"


class LosingCluster(KRaftCluster):
    """A KRaft cluster whose brokers can get other disks."""

    def start_on_empty_disks(self, broker_id: int) -> None:
        empty(self.log_dirs(broker_id))
        self._format_and_start(self.brokers[broker_id])
        self.wait_for_brokers([1, 3])


@pytest.fixture(scope="module")
def watched(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Any:
    home = tmp_path_factory.mktemp("empty-kraft-disk")
    with LosingCluster(home / "cluster", brokers=3) as cluster:
        create_topic(cluster.bootstrap_servers, "alone", [[2]])
        create_topic(cluster.bootstrap_servers, "ledger", [[1, 2]])
        produce(cluster.bootstrap_servers, "alone")
        produce(cluster.bootstrap_servers, "ledger", 105)
        cluster.wait_until_in_sync()
        wait_for_checkpoint(cluster, 2)
        yield Losing(cluster, home, spark)


def roll(watched: Losing) -> str:
    return watched.gate("roll --broker 3")


def lose_both(watched: Losing) -> None:
    """Broker 1 is the last of the ISR of ledger."""
    watched.cluster.kill_broker(2)
    watched.wait_for_leaders("ledger", is_led=True)
    watched.cluster.brokers[1].jvm.kill()
    watched.cluster.wait_for_brokers([3])
    watched.wait_for_leaders("ledger", is_led=False)


def restart(watched: Losing) -> None:
    """Once more on the same disk: the controller knows only then in which log dir the replica is."""
    watched.cluster.stop_broker(1)
    watched.cluster.start_broker(1)
    watched.wait_for_leaders("ledger", is_led=True)


def test_with_its_original_disk_a_broker_that_was_started_on_an_empty_one_brings_everything_back(
    watched: Losing,
) -> None:
    cluster = watched.cluster
    assert isinstance(cluster, LosingCluster)
    watched.look()
    healthy = watched.incidents()
    assert {check_id for check_id, _ in healthy} <= {"quorum-health"}
    assert roll(watched) == "roll of lab: safe now\n"

    lose_both(watched)
    watched.look()
    assert watched.incidents() == {
        **healthy,
        ("broker-down", "broker 1"): "critical",
        ("broker-down", "broker 2"): "critical",
    }
    ((cause, remedy),) = watched.ask(f"{OFFLINE} 'ledger-0'")
    assert (cause, "only with its original disks" in remedy) == ("broker 1", True)
    assert "offline: 2 partitions (alone-0, ledger-0)" in roll(watched)

    (log_dir,) = cluster.log_dirs(1)
    original = log_dir.rename(log_dir.with_name("original"))
    log_dir.mkdir()
    cluster.start_on_empty_disks(1)
    watched.look()
    ((_, remedy),) = watched.ask(f"{OFFLINE} 'ledger-0'")
    assert "Do not restart it before you know" in remedy
    assert watched.ask(LOST) == []
    assert "offline: 2 partitions (alone-0, ledger-0)" in roll(watched)

    cluster.stop_broker(1)
    log_dir.rename(log_dir.with_name("empty"))
    original.rename(log_dir)
    cluster.start_broker(1)
    restart(watched)
    cluster.start_broker(2)
    cluster.wait_until_in_sync()
    watched.look()
    assert watched.incidents() == healthy
    assert watched.ask(HELD) == [(105,)]
    assert roll(watched) == "roll of lab: safe now\n"


def test_the_next_restart_leads_with_nothing_and_the_loss_is_found(watched: Losing) -> None:
    cluster = watched.cluster
    assert isinstance(cluster, LosingCluster)
    wait_for_checkpoint(cluster, 2)
    before = watched.incidents()
    lose_both(watched)
    cluster.start_on_empty_disks(1)
    restart(watched)  # what the page warns of
    watched.wait_for_epoch(1, "ledger-0")
    watched.look()
    assert watched.ask(LOST) == [("0", "105", "[2]", "critical")]

    cluster.start_broker(2)
    cluster.wait_until_in_sync()
    watched.look()
    assert watched.incidents() == {**before, ("data-lost", "ledger-0"): "critical"}
    assert watched.ask(HELD) == [(0,)]


def test_the_next_preferred_election_leads_with_nothing_too(watched: Losing) -> None:
    cluster = watched.cluster
    assert isinstance(cluster, LosingCluster)
    produce(cluster.bootstrap_servers, "ledger", 7)
    cluster.wait_until_in_sync()
    lose_both(watched)
    cluster.start_on_empty_disks(1)
    asked = cluster.brokers[3].address
    election = f"kafka-leader-election.sh --bootstrap-server {asked} --election-type preferred --topic ledger --partition 0"

    def leads() -> bool:
        watched.shell(election)  # which fails until the broker has told the controller of its new log dir
        return partitions_of(asked, "ledger")[0]["leader_id"] == 1

    wait_until("an election", leads, [cluster.brokers[each].jvm for each in (1, 3)], 60)
    cluster.start_broker(2)
    cluster.wait_until_in_sync()
    watched.look()
    assert watched.ask(HELD) == [(0,)]
