"""Asks each broker whom it takes for the leaders, and keeps what differs from the answer of one of them.

Clients go to the leader that a broker names, so a broker that did not hear of an election leads them astray. Brokers
hear of it one after the other: a difference counts only when it is still there after two pauses and the broker has said
the same each time.
"""

import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from kafka.errors import KafkaError
from kafka.protocol.metadata import MetadataRequest

from jobs.landing.landing import Landing
from jobs.sources.kafka.connection.client import BROKERS_AT_ONCE, KafkaClient, metadata_request, pages
from jobs.sources.kafka.connection.frame import Frame
from jobs.sources.kafka.gaps import Question, explain, gap_on_error
from schemas.snapshots import GapReason

VIEWS = Question("views of brokers", "/views", "DESCRIBE on all topics")
ROWS_PER_BROKER = 1_000

_PAUSES, _PAUSE_S = 2, 1.0
_LEFT_OUT = "This broker was not asked whom it takes for the leaders: max_brokers_asked in varve.yaml is {most}. Raise it to ask it."

Row = tuple[Any, ...]
Partition = tuple[str, int]
Belief = tuple[int, int | None]
"""The leader, -1 for none, and its epoch."""
View = Mapping[Partition, Belief]
Said = tuple[bytes, View]
"""What the reference says of a page of topics, also as it came over the wire: others mostly say it in the same bytes."""
Differences = dict[Partition, tuple[Belief | None, Belief | None]]
"""What a broker believes and what the reference does; None where one does not know the partition."""


def land_views(
    client: KafkaClient, landing: Landing, topics: Sequence[str], broker_ids: Sequence[int], most: int
) -> None:
    """Land how the views of these brokers differ from that of the first that answers.

    Each that does not answer is a gap, and so is each that is not asked because `most` come before it.
    """
    for broker_id in broker_ids[most:]:
        landing.gap(f"{VIEWS.scope}/{broker_id}", GapReason.NOT_COLLECTED, _LEFT_OUT.format(most=most))
    asked = broker_ids[:most]
    with gap_on_error(landing, VIEWS):
        for place, reference in enumerate(asked):
            try:
                said = _said(client, reference, topics)
            except KafkaError as error:
                question = _question(reference)
                landing.gap(question.scope, *explain(error, question))
                continue
            compared = sum(len(view) for _, view in said)
            views = _settled(client, landing, reference, asked[place + 1 :], topics, said)
            for broker_id, differing in ({reference: Differences()} | views).items():
                landing.rows("broker_views", view_rows(broker_id, reference, compared, differing))
            return


def differences(own: View, reference: View) -> Differences:
    """The partitions of which the two believe different things."""
    return {
        key: (own.get(key), reference.get(key))
        for key in own.keys() | reference.keys()
        if own.get(key) != reference.get(key)
    }


def still(before: Differences, now: Differences) -> Differences:
    """The differences that are still there while the broker believes what it believed before."""
    return {key: now[key] for key in before.keys() & now.keys() if before[key][0] == now[key][0]}


def view_rows(broker_id: int, reference: int, compared: int, differing: Differences) -> Iterator[Row]:
    """Rows of `broker_views` of one broker: that it was asked, and the first of the partitions that differ."""
    nothing = (None, None)
    yield broker_id, None, None, *nothing, reference, *nothing, compared, len(differing)
    for topic, partition in sorted(differing)[:ROWS_PER_BROKER]:
        own, other = differing[topic, partition]
        yield broker_id, topic, partition, *(own or nothing), reference, *(other or nothing), None, None


def view_in(reply: Frame) -> View:
    """What a Metadata reply says of each partition."""
    return {
        (topic["name"], partition["partition_index"]): (partition["leader_id"], partition.get("leader_epoch"))
        for topic in reply.each("topics")
        for partition in topic["partitions"]
    }


def _settled(
    client: KafkaClient,
    landing: Landing,
    reference: int,
    others: Sequence[int],
    topics: Sequence[str],
    said: Sequence[Said],
) -> dict[int, Differences]:
    """The differences of each of the others that are no matter of the moment."""
    views = _compared(client, landing, others, topics, said)
    for _ in range(_PAUSES):
        doubtful = sorted({topic for differing in views.values() for topic, _ in differing})
        if not doubtful:
            break
        time.sleep(_PAUSE_S)
        said = _said(client, reference, doubtful)
        asked = [broker_id for broker_id, differing in views.items() if differing]
        again = _compared(client, landing, asked, doubtful, said)
        views = {
            broker_id: still(differing, again[broker_id]) if differing else differing
            for broker_id, differing in views.items()
            if not differing or broker_id in again
        }
    return views


def _compared(
    client: KafkaClient,
    landing: Landing,
    broker_ids: Collection[int],
    topics: Sequence[str],
    said: Sequence[Said],
) -> dict[int, Differences]:
    """How each of these brokers differs from the reference; one that does not answer is a gap and left out."""
    views = {}
    with ThreadPoolExecutor(BROKERS_AT_ONCE) as pool:
        asked = {
            broker_id: pool.submit(_differing, client, broker_id, topics, said) for broker_id in broker_ids
        }
        for broker_id, answer in asked.items():
            with gap_on_error(landing, _question(broker_id)):
                views[broker_id] = answer.result()
    return views


def _said(client: KafkaClient, broker_id: int, topics: Sequence[str]) -> list[Said]:
    return [(reply.rest("topics"), view_in(reply)) for reply in _replies(client, broker_id, topics)]


def _differing(
    client: KafkaClient, broker_id: int, topics: Sequence[str], said: Sequence[Said]
) -> Differences:
    found = Differences()
    for reply, (same, view) in zip(_replies(client, broker_id, topics), said, strict=True):
        if reply.rest("topics") != same:
            found |= differences(view_in(reply), view)
    return found


def _replies(client: KafkaClient, broker_id: int, topics: Sequence[str]) -> Iterator[Frame]:
    """Metadata of these topics as that broker believes it, page by page."""
    with client.broker(broker_id) as ask:
        for page in pages(topics):
            yield ask(metadata_request([MetadataRequest.MetadataRequestTopic(name=name) for name in page]))


def _question(broker_id: int) -> Question:
    return VIEWS.of_broker(broker_id, f"leaders as broker {broker_id} believes them")
