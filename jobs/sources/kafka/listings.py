"""The questions whose answer is the rows of one table."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from kafka.errors import SecurityDisabledError, UnsupportedVersionError
from kafka.protocol.admin import (
    DescribeClientQuotasRequest,
    DescribeUserScramCredentialsRequest,
    ListPartitionReassignmentsRequest,
)
from kafka.protocol.metadata import ApiVersionsRequest

from jobs.sources.kafka.client import KafkaClient
from jobs.sources.kafka.cluster_rows import Row, feature_rows, reassignment_rows
from jobs.sources.kafka.gaps import raise_for
from jobs.sources.kafka.question import Question
from jobs.sources.kafka.security_rows import acl_rows, quota_rows, scram_rows


@dataclass(frozen=True)
class Listing:
    """A question and the table its answer goes to."""

    question: Question
    table: str
    ask: Callable[[KafkaClient], Iterator[Row]]

    def rows(self, client: KafkaClient) -> list[Row]:
        """The answer. A cluster that does not know the question has nothing of the kind. Raises KafkaError."""
        try:
            return list(self.ask(client))
        except UnsupportedVersionError:
            return []


def _features(client: KafkaClient) -> Iterator[Row]:
    """A cluster older than 2.7, and one where nobody has set any, has none."""
    request = ApiVersionsRequest(client_software_name="varve", client_software_version="1")
    return feature_rows(client.ask(request))


def _acls(client: KafkaClient) -> Iterator[Row]:
    """A cluster without an authorizer says that security is disabled: it has no ACLs."""
    try:
        return acl_rows(client.acls())
    except SecurityDisabledError:
        return iter(())


def _quotas(client: KafkaClient) -> Iterator[Row]:
    return quota_rows(client.ask(DescribeClientQuotasRequest(components=[], strict=False)))


def _scram_users(client: KafkaClient) -> Iterator[Row]:
    """No users are all of them; asked with null, a broker that has to refuse fails and does not answer at all."""
    reply = client.ask(DescribeUserScramCredentialsRequest(users=[]))
    for user in reply["results"]:
        raise_for(user)
    return scram_rows(reply)


def _reassignments(client: KafkaClient) -> Iterator[Row]:
    return reassignment_rows(client.ask_controller(ListPartitionReassignmentsRequest(topics=None)))


LISTINGS = (
    Listing(Question("features", "/features", "access to the listener"), "admin_features", _features),
    Listing(Question("ACLs", "/acls", "DESCRIBE on the cluster"), "admin_acls", _acls),
    Listing(Question("client quotas", "/quotas", "DESCRIBE_CONFIGS on the cluster"), "admin_quotas", _quotas),
    Listing(
        Question("SCRAM users", "/scram_credentials", "DESCRIBE on the cluster"),
        "admin_scram_credentials",
        _scram_users,
    ),
    Listing(
        Question("reassignments", "/reassignments", "DESCRIBE on the cluster"),
        "admin_reassignments",
        _reassignments,
    ),
)
