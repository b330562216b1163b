"""The questions whose whole answer is the rows of one table."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from kafka.errors import UnsupportedVersionError
from kafka.protocol.admin import DescribeClientQuotasRequest, ListPartitionReassignmentsRequest
from kafka.protocol.metadata import ApiVersionsRequest

from jobs.sources.kafka.connection.client import KafkaClient, Reply
from jobs.sources.kafka.gaps import Question
from jobs.sources.kafka.security import Row, acls, redact_acl, scram_users

_DEFAULT = "<default>"


@dataclass(frozen=True)
class Listing:
    """A question, the table of its answer, and the function that asks it."""

    question: Question
    table: str
    ask: Callable[[KafkaClient], Iterator[Row]]
    redact: Callable[[Row, Callable[[str], str]], Row] | None = None
    """Replaces what is secret in a row by its fingerprint."""

    def rows(self, client: KafkaClient) -> list[Row]:
        """The rows of the answer; none when the cluster is too old to know the question. Raises KafkaError."""
        try:
            return list(self.ask(client))
        except UnsupportedVersionError:
            return []

    def redacted(self, rows: list[Row], fingerprint: Callable[[str], str]) -> list[Row]:
        """The rows without secrets, each once: without a fingerprint key all secrets look alike."""
        redact = self.redact
        return list(dict.fromkeys(redact(row, fingerprint) for row in rows)) if redact else rows


def feature_rows(reply: Reply) -> Iterator[Row]:
    """Rows of `admin_features` from an ApiVersions reply; none before Kafka 2.7 or when no feature is finalized."""
    for feature in reply.get("finalized_features") or []:
        yield feature["name"], feature["max_version_level"], feature["min_version_level"]


def quota_rows(reply: Reply) -> Iterator[Row]:
    """Rows of `admin_quotas`."""
    for entry in reply["entries"] or []:
        entity = {
            part["entity_type"]: _DEFAULT if part["entity_name"] is None else part["entity_name"]
            for part in entry["entity"]
        }
        for quota in entry["values"]:
            yield entity.get("user"), entity.get("client-id"), entity.get("ip"), quota["key"], quota["value"]


def reassignment_rows(reply: Reply) -> Iterator[Row]:
    """Rows of `admin_reassignments`."""
    for topic in reply["topics"]:
        for partition in topic["partitions"]:
            yield (
                topic["name"],
                partition["partition_index"],
                partition["replicas"],
                partition["adding_replicas"],
                partition["removing_replicas"],
            )


def _features(client: KafkaClient) -> Iterator[Row]:
    request = ApiVersionsRequest(client_software_name="varve", client_software_version="1")
    return feature_rows(client.ask(request))


def _quotas(client: KafkaClient) -> Iterator[Row]:
    return quota_rows(client.ask(DescribeClientQuotasRequest(components=[], strict=False)))


def _reassignments(client: KafkaClient) -> Iterator[Row]:
    return reassignment_rows(client.ask_controller(ListPartitionReassignmentsRequest(topics=None)))


LISTINGS = (
    Listing(Question("features", "/features", "access to the listener"), "admin_features", _features),
    Listing(Question("ACLs", "/acls", "DESCRIBE on the cluster"), "admin_acls", acls, redact_acl),
    Listing(Question("client quotas", "/quotas", "DESCRIBE_CONFIGS on the cluster"), "admin_quotas", _quotas),
    Listing(
        Question("SCRAM users", "/scram_credentials", "DESCRIBE on the cluster"),
        "admin_scram_credentials",
        scram_users,
    ),
    Listing(
        Question("reassignments", "/reassignments", "DESCRIBE on the cluster"),
        "admin_reassignments",
        _reassignments,
    ),
)
