"""Asks each leader where the logs of its partitions begin, and up to where consumers can read them (ListOffsets)."""

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from kafka.protocol.consumer import ListOffsetsRequest

from jobs.landing.landing import Landing
from jobs.sources.kafka.connection.client import BROKERS_AT_ONCE, KafkaClient, pages
from jobs.sources.kafka.connection.failures import error_name
from jobs.sources.kafka.connection.frame import Frame
from jobs.sources.kafka.gaps import Question, gap_on_error

OFFSETS = Question("offsets of partitions", "/offsets", "DESCRIBE on all topics")
PARTITIONS_PER_REQUEST = 1_000

_LATEST, _EARLIEST = -1, -2
"""`ListOffsetsRequest.LATEST_TIMESTAMP` and `EARLIEST_TIMESTAMP`."""
_NOT_TOLD = (-1, -1)

Row = tuple[Any, ...]
Partition = tuple[str, int]


def land_offsets(
    client: KafkaClient, landing: Landing, led: Mapping[int, Mapping[str, Sequence[int]]]
) -> None:
    """Land the offsets of the partitions that each broker leads, by topic. A leader that does not answer is a gap."""
    with ThreadPoolExecutor(BROKERS_AT_ONCE) as pool:
        asked = {leader: pool.submit(offsets_of, client, leader, led[leader]) for leader in sorted(led)}
        for leader, answer in asked.items():
            question = OFFSETS.of_broker(leader, f"offsets of the partitions that broker {leader} leads")
            with gap_on_error(landing, question):
                landing.rows("admin_offsets", answer.result())


def offsets_of(client: KafkaClient, leader: int, topics: Mapping[str, Sequence[int]]) -> list[Row]:
    """Rows of `admin_offsets` for partitions of these topics, asked of their leader in pages. Raises KafkaError."""
    partitions = [(topic, partition) for topic, numbers in topics.items() for partition in numbers]
    with client.broker(leader) as ask:
        return [
            row
            for page in pages(partitions, PARTITIONS_PER_REQUEST)
            for row in offset_rows(leader, page, ask(_request(page, _EARLIEST)), ask(_request(page, _LATEST)))
        ]


def offset_rows(leader: int, page: Sequence[Partition], earliest: Frame, latest: Frame) -> Iterator[Row]:
    """Rows of `admin_offsets` from the replies about one page of partitions."""
    starts, ends = _offsets_in(earliest), _offsets_in(latest)
    for topic, partition in page:
        start_error, start = starts.get((topic, partition), _NOT_TOLD)
        end_error, end = ends.get((topic, partition), _NOT_TOLD)
        yield (
            topic,
            partition,
            leader,
            start if start >= 0 else None,
            end if end >= 0 else None,
            error_name(start_error or end_error),
        )


def _offsets_in(reply: Frame) -> dict[Partition, tuple[int, int]]:
    """The error code and the offset of each partition."""
    return {
        (topic["name"], partition["partition_index"]): (partition["error_code"], partition["offset"])
        for topic in reply.each("topics")
        for partition in topic["partitions"]
    }


def _request(page: Sequence[Partition], timestamp: int) -> ListOffsetsRequest:
    asked = ListOffsetsRequest.ListOffsetsTopic
    topics: dict[str, list[Any]] = {}
    for topic, partition in page:
        one = asked.ListOffsetsPartition(partition_index=partition, timestamp=timestamp)
        topics.setdefault(topic, []).append(one)
    return ListOffsetsRequest(
        replica_id=-1,
        isolation_level=0,
        topics=[asked(name=name, partitions=partitions) for name, partitions in topics.items()],
    )
