"""Landing what Kafka says of 200,000 partitions: its replies decoded, turned into rows, written as Parquet.

A broker that has so many does not fit here, so the replies are encoded by kafka-python's own message classes, as big
as a broker of Kafka 3.9 makes them; the time it takes to make and to send them is not in the figures.
"""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from uuid import UUID

from kafka.protocol.admin import DescribeConfigsResponse
from kafka.protocol.metadata import MetadataResponse

TOPICS, PARTITIONS = 10_000, 20
METADATA_VERSION, CONFIGS_VERSION = 12, 4
TOPICS_PER_REQUEST, CONFIGS_PER_TOPIC = 500, 33

LAND = """
import resource, sys, time
from pathlib import Path
from kafka.protocol.admin import DescribeConfigsResponse
from kafka.protocol.frame import KafkaBytes
from kafka.protocol.metadata import MetadataResponse
from jobs.landing.landing import Landing
from jobs.secrets import Redactor
from jobs.sources.kafka.topics import partition_rows, topic_row
from jobs.sources.kafka.configs import config_rows
from jobs.sources.kafka.connection.frame import Frame
from jobs.storage import open_storage

def reply(kind, version, path):
    content = Path(path).read_bytes()
    body = KafkaBytes(len(content))
    memoryview(body)[:] = content
    return Frame(kind[version], version, body)

way, metadata, configs, folder, pages = sys.argv[1:]
landing = Landing(open_storage(Path(folder)), "kafka", Redactor(None))
begun = time.perf_counter()
frame = reply(MetadataResponse, 12, metadata)
topics = frame.each("topics") if way == "each" else (topic.to_dict() for topic in frame.decode().topics)
for topic in topics:
    landing.rows("admin_topics", [topic_row(topic)])
    landing.rows("admin_partitions", partition_rows(topic))
for _ in range(int(pages)):
    for result in reply(DescribeConfigsResponse, 4, configs).decode().results:
        landing.rows("admin_configs", config_rows("topic", result.to_dict()))
landing.flush()
seconds = time.perf_counter() - begun
print(landing.counts["admin_partitions"], seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


def test_landing_200_000_partitions(tmp_path: Path, record: Callable[[str, dict[str, float]], None]) -> None:
    (tmp_path / "metadata").write_bytes(_metadata())
    (tmp_path / "configs").write_bytes(_configs())
    each, whole = (_land(way, tmp_path) for way in ("each", "whole"))
    record(
        "kafka",
        {
            "landing_s": each[0],
            "peak_memory_mb": each[1],
            "peak_memory_whole_reply_mb": whole[1],
            "memory_whole_over_each": whole[1] / each[1],
            "reply_mb": (tmp_path / "metadata").stat().st_size / 1e6,
        },
    )


def _land(way: str, folder: Path) -> tuple[float, float]:
    """Seconds, and the peak memory of the process in megabytes."""
    landing = folder / way
    landing.mkdir()
    files = [str(folder / "metadata"), str(folder / "configs"), str(landing)]
    pages = str(TOPICS // TOPICS_PER_REQUEST)
    told = subprocess.check_output([sys.executable, "-c", LAND, way, *files, pages], text=True).split()
    assert int(told[0]) == TOPICS * PARTITIONS
    return float(told[1]), float(told[2])


def _metadata() -> bytes:
    topics = [_topic(number) for number in range(TOPICS)]
    reply = MetadataResponse(
        version=METADATA_VERSION,
        throttle_time_ms=0,
        brokers=[],
        cluster_id="x" * 22,
        controller_id=1,
        topics=topics,
    )
    return bytes(reply.encode(version=METADATA_VERSION))


def _topic(number: int) -> MetadataResponse.MetadataResponseTopic:
    kind = MetadataResponse.MetadataResponseTopic
    replicas = {"replica_nodes": [1, 2, 3], "isr_nodes": [1, 2, 3], "offline_replicas": []}
    partitions = [
        kind.MetadataResponsePartition(
            version=METADATA_VERSION,
            error_code=0,
            partition_index=index,
            leader_id=1,
            leader_epoch=5,
            **replicas,
        )
        for index in range(PARTITIONS)
    ]
    return kind(
        version=METADATA_VERSION,
        error_code=0,
        name=f"topic-{number:05d}",
        topic_id=UUID(int=number + 1),
        is_internal=False,
        partitions=partitions,
        authorized_operations=set(),
    )


def _configs() -> bytes:
    """Of one request: every topic has one config of its own, the others are defaults."""
    kind = DescribeConfigsResponse.DescribeConfigsResult
    entry = kind.DescribeConfigsResourceResult
    common = {
        "read_only": False,
        "is_sensitive": False,
        "synonyms": [],
        "config_type": 2,
        "documentation": None,
    }
    configs = [
        entry(
            version=CONFIGS_VERSION,
            name=f"config.number.{n}",
            value="604800000",
            config_source=5 if n else 1,
            **common,
        )
        for n in range(CONFIGS_PER_TOPIC)
    ]
    results = [
        kind(
            version=CONFIGS_VERSION,
            error_code=0,
            error_message=None,
            resource_type=2,
            resource_name=f"topic-{number:05d}",
            configs=configs,
        )
        for number in range(TOPICS_PER_REQUEST)
    ]
    reply = DescribeConfigsResponse(version=CONFIGS_VERSION, throttle_time_ms=0, results=results)
    return bytes(reply.encode(version=CONFIGS_VERSION))
