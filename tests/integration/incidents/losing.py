"""A real cluster that loses brokers: its incidents, its gates, and what has to be waited for."""

from jobs.incidents.read import read_incidents
from jobs.lab.cluster import SETTLE_TIMEOUT_S, KafkaCluster
from jobs.lab.jvm import wait_until
from jobs.lab.topics import partitions_of
from tests.integration.watched import Watched


class Losing(Watched[KafkaCluster]):
    """A cluster that loses brokers."""

    def incidents(self) -> dict[tuple[str, str], str]:
        """The incidents that alarm somebody: their cause's check and subject, with the severity."""
        told = [each for each in read_incidents(self.reader) if each.severity != "info"]
        return {(each.check_id, each.findings[0].subject): str(each.severity) for each in told}

    def gate(self, words: str) -> str:
        """What `varve gate` says."""
        told = self.shell(f"varve gate {words}")
        assert told.returncode in (0, 3), told.stdout + told.stderr
        return told.stdout

    def wait_for_isr(self, topic: str, isr: set[int]) -> None:
        """Wait until partition 0 of the topic has that ISR, as broker 1 sees it."""
        asked = self.cluster.brokers[1]

        def is_so() -> bool:
            return set(partitions_of(asked.address, topic)[0]["isr_nodes"]) == isr

        wait_until(f"ISR {isr} of {topic}", is_so, [asked.jvm], SETTLE_TIMEOUT_S)
