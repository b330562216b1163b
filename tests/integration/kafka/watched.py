"""A cluster of the lab, and the lake of its snapshots over the Kafka API."""

from typing import Any

from jobs.lab.cluster import KafkaCluster
from tests.integration.watched import Watched


class WatchedOverKafka(Watched[KafkaCluster]):
    """A cluster whose disks are not read."""

    def snapshot(self, **kafka: Any) -> None:
        """Take a snapshot; `kafka` are settings of that source."""
        self.look(("zookeeper", "kafka"), **kafka)

    def findings(self, check_id: str) -> dict[str, str]:
        """The severity of each open finding of a check, by its subject."""
        return {subject: severity for subject, (severity, _) in self.found(check_id).items()}

    def causes(self, check_id: str) -> dict[str, str]:
        """The subject of the cause of each open finding of a check, by its own."""
        open_ones = f"FROM findings WHERE check_id = '{check_id}' AND status = 'open'"
        return dict(self.ask(f"SELECT subject, cause_subject {open_ones}"))
