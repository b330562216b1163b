"""A real cluster that loses brokers and disks: its incidents, its gates, and what has to be waited for."""

import shutil
from collections.abc import Iterable
from pathlib import Path

from jobs.incidents.read import read_incidents
from jobs.lab.cluster import SETTLE_TIMEOUT_S, KafkaCluster
from jobs.lab.jvm import wait_until
from jobs.lab.topics import partitions_of
from tests.integration.watched import Watched

LOST = (
    "SELECT evidence->>'lost_from', evidence->>'lost_until', evidence->>'still_on', severity FROM findings "
    "WHERE check_id = 'data-lost' AND status = 'open' AND subject = 'ledger-0'"
)


def empty(log_dirs: Iterable[Path]) -> None:
    """What a broker finds whose disks were replaced."""
    for log_dir in log_dirs:
        shutil.rmtree(log_dir)
        log_dir.mkdir()


def wait_for_checkpoint(cluster: KafkaCluster, broker_id: int, high_watermark: int = 105) -> None:
    """Wait until a broker has written down that high watermark of ledger-0."""
    files = [path / "replication-offset-checkpoint" for path in cluster.log_dirs(broker_id)]
    line = f"ledger 0 {high_watermark}"

    def is_written() -> bool:
        return any(line in file.read_text().splitlines() for file in files if file.exists())

    wait_until(f"checkpoint of broker {broker_id}", is_written, [cluster.brokers[broker_id].jvm], 60)


class Losing(Watched[KafkaCluster]):
    """A cluster that loses brokers and disks."""

    def incidents(self) -> dict[tuple[str, str], str]:
        """The incidents that alarm somebody: their cause's check and subject, with the severity."""
        told = [each for each in read_incidents(self.reader) if each.severity != "info"]
        return {(each.check_id, each.findings[0].subject): str(each.severity) for each in told}

    def gate(self, words: str) -> str:
        """What `varve gate` says."""
        told = self.shell(f"varve gate {words}")
        assert told.returncode in (0, 3), told.stdout + told.stderr
        return told.stdout

    def wait_for_leaders(self, topic: str, *, is_led: bool) -> None:
        """Wait until every partition of the topic has a leader, or none has."""

        def settled() -> bool:
            partitions = partitions_of(self.cluster.brokers[3].address, topic).values()
            return all((partition["leader_id"] >= 0) == is_led for partition in partitions)

        wait_until(f"leaders of {topic}", settled, [self.cluster.brokers[3].jvm], SETTLE_TIMEOUT_S)

    def wait_for_isr(self, topic: str, isr: set[int]) -> None:
        """Wait until partition 0 of the topic has that ISR, as broker 1 sees it."""
        asked = self.cluster.brokers[1]

        def is_so() -> bool:
            return set(partitions_of(asked.address, topic)[0]["isr_nodes"]) == isr

        wait_until(f"ISR {isr} of {topic}", is_so, [asked.jvm], SETTLE_TIMEOUT_S)

    def wait_for_epoch(self, broker_id: int, replica: str) -> None:
        """Wait until a broker has written down the epoch in which it leads a replica that it had to make anew."""
        files = [path / replica / "leader-epoch-checkpoint" for path in self.cluster.log_dirs(broker_id)]

        def is_written() -> bool:
            return any(len(file.read_text().splitlines()) > 2 for file in files if file.exists())

        wait_until(f"{replica} on broker {broker_id}", is_written, [self.cluster.brokers[3].jvm], 60)
