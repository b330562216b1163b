"""Finds the topics that may be there though no list of topics tells of them.

Brokers leave the topics that a principal may not describe out of a list in silence; asked for one by name they refuse,
before they say whether there is such a topic (`KafkaApis.handleTopicMetadataRequest`). Names that no ACL knows fare
all alike, so one of them speaks for the rest, and beside it only those that ACLs know need to be asked for.
"""

import uuid
from collections.abc import Collection, Iterator

from kafka.errors import AuthorizationError, SecurityDisabledError, TopicAuthorizationFailedError

from jobs.sources.kafka.client import TOPIC, KafkaClient
from jobs.sources.kafka.failures import RefusedError
from schemas.snapshots import GapReason

_PREFIXED = 4
_WILDCARD = "*"


class SomeTopicsOnlyError(RefusedError):
    """There may be topics that Varve is not told of, and nobody knows their names."""

    def __init__(self, which: str) -> None:
        super().__init__(
            GapReason.UNAUTHORIZED,
            "brokers are silent about the topics that Varve's principal may not describe, and it may not describe "
            f"{which}: grant it DESCRIBE on all topics (--topic '*'), and let no other ACL deny it, for until then "
            "no topic is taken for deleted",
        )


def hidden_topics(client: KafkaClient, listed: Collection[str]) -> list[str]:
    """The names of topics that are not `listed`, and that Varve may not describe if they are there.

    Raises RefusedError where any number of topics may be hidden or the ACLs may not be read, and KafkaError when there
    is no answer.
    """
    # It begins with what no prefix of an ACL is likely to be.
    unknown = f"{uuid.uuid4()}-varve"
    if any(_refused(client, [unknown])):
        raise SomeTopicsOnlyError("all")
    named, prefixes = set[str](), set[str]()
    for pattern_type, name in _patterns(client):
        (prefixes if pattern_type == _PREFIXED else named).add(name)
    of_prefixes = {f"{prefix}{unknown}": prefix for prefix in prefixes}
    refused = set(_refused(client, [*of_prefixes, *sorted(named - {_WILDCARD, *listed})]))
    if hidden := sorted(of_prefixes[name] for name in refused & of_prefixes.keys()):
        raise SomeTopicsOnlyError(f"those that begin with {hidden[0]}")
    return sorted(refused)


def _patterns(client: KafkaClient) -> Iterator[tuple[int, str]]:
    """Type and name of each pattern of topics that some ACL is about."""
    try:
        reply = client.acls(TOPIC)
    except SecurityDisabledError:
        return
    except AuthorizationError as error:
        raise RefusedError(
            GapReason.UNAUTHORIZED,
            "ACLs may hide topics in silence, and Varve's principal may not see the ACLs: grant it DESCRIBE on the "
            "cluster, for until then no topic is taken for deleted",
        ) from error
    for resource in reply["resources"]:
        yield resource["pattern_type"], resource["resource_name"]


def _refused(client: KafkaClient, names: list[str]) -> Iterator[str]:
    for topic in client.topics_named(names):
        if topic["error_code"] == TopicAuthorizationFailedError.errno:
            yield topic["name"]
