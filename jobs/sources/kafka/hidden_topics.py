"""Finds the topics that may exist although no broker lists them.

A broker leaves the topics that a principal may not describe out of its list without a word. Asked for one of them by
its name it answers with a refusal, whether the topic exists or not (`KafkaApis.handleTopicMetadataRequest`). All names
that no ACL mentions are treated alike, so it is enough to ask for one invented name and for the names in the ACLs.
"""

import uuid
from collections.abc import Collection, Iterator, Sequence

from kafka.errors import AuthorizationError, SecurityDisabledError, TopicAuthorizationFailedError
from kafka.protocol.metadata import MetadataRequest

from jobs.sources.kafka.connection.client import KafkaClient, metadata_request, pages
from jobs.sources.kafka.connection.failures import RefusedError
from jobs.sources.kafka.security import PREFIXED, TOPIC, describe_acls
from schemas.snapshots import GapReason

_WILDCARD = "*"


class SomeTopicsOnlyError(RefusedError):
    """There may be topics that brokers do not list, and their names are not known."""

    def __init__(self, which: str) -> None:
        super().__init__(
            GapReason.UNAUTHORIZED,
            "brokers are silent about the topics that Varve's principal may not describe, and it may not describe "
            f"{which}: grant it DESCRIBE on all topics (--topic '*'), and let no other ACL deny it. Until then "
            "no topic counts as deleted",
        )


def hidden_topics(client: KafkaClient, listed: Collection[str]) -> list[str]:
    """The names that are not `listed`, that an ACL mentions, and that Varve may not describe.

    Raises SomeTopicsOnlyError when topics of unknown names may be hidden, RefusedError when Varve may not read the
    ACLs, and KafkaError when there is no answer.
    """
    # It begins with characters that no prefixed ACL is likely to have.
    unknown = f"{uuid.uuid4()}-varve"
    if any(_refused(client, [unknown])):
        raise SomeTopicsOnlyError("all")
    named, prefixes = set[str](), set[str]()
    for pattern_type, name in _patterns(client):
        (prefixes if pattern_type == PREFIXED else named).add(name)
    of_prefixes = {f"{prefix}{unknown}": prefix for prefix in prefixes}
    refused = set(_refused(client, [*of_prefixes, *sorted(named - {_WILDCARD, *listed})]))
    if hidden := sorted(of_prefixes[name] for name in refused & of_prefixes.keys()):
        raise SomeTopicsOnlyError(f"those that begin with {hidden[0]}")
    return sorted(refused)


def _patterns(client: KafkaClient) -> Iterator[tuple[int, str]]:
    """The pattern type and the name of each resource of type topic that has an ACL."""
    try:
        reply = describe_acls(client, TOPIC)
    except SecurityDisabledError:
        return
    except AuthorizationError as error:
        raise RefusedError(
            GapReason.UNAUTHORIZED,
            "an ACL may hide topics, and Varve's principal may not see the ACLs: grant it DESCRIBE on the cluster. "
            "Until then no topic counts as deleted",
        ) from error
    for resource in reply["resources"]:
        yield resource["pattern_type"], resource["resource_name"]


def _refused(client: KafkaClient, names: Sequence[str]) -> Iterator[str]:
    """Those of the names that Varve may not describe."""
    for page in pages(names):
        asked = [MetadataRequest.MetadataRequestTopic(name=name) for name in page]
        for topic in client.servers.frame(metadata_request(asked)).each("topics"):
            if topic["error_code"] == TopicAuthorizationFailedError.errno:
                yield topic["name"]
