"""Asks each broker for its log dirs: which have failed, how much room they have, and how big each replica is.

DescribeLogDirs: KIP-113, KIP-827. A broker lists only what is on its disks, whatever the cluster assigns to it.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from kafka.errors import ClusterAuthorizationFailedError
from kafka.protocol.admin import DescribeLogDirsRequest

from jobs.landing.landing import Landing
from jobs.sources.kafka.connection.client import BROKERS_AT_ONCE, KafkaClient, Reply
from jobs.sources.kafka.connection.failures import error_name
from jobs.sources.kafka.connection.frame import Frame
from jobs.sources.kafka.gaps import Question, gap_on_error

LOG_DIRS = Question("log dirs of brokers", "/log_dirs", "DESCRIBE on the cluster")

Row = tuple[Any, ...]


def land_log_dirs(client: KafkaClient, landing: Landing, broker_ids: set[int]) -> None:
    """Land what each of these brokers says of its log dirs. One that does not answer is a gap."""
    with ThreadPoolExecutor(BROKERS_AT_ONCE) as pool:
        asked = {broker_id: pool.submit(ask_log_dirs, client, broker_id) for broker_id in sorted(broker_ids)}
        for broker_id, answer in asked.items():
            with gap_on_error(landing, log_dirs_question(broker_id)):
                for log_dir in log_dirs_in(answer.result()):
                    landing.rows("admin_log_dirs", [log_dir_row(broker_id, log_dir)])
                    landing.rows("admin_log_dir_space", space_rows(broker_id, log_dir))
                    landing.rows("admin_replica_sizes", size_rows(broker_id, log_dir))


def log_dirs_question(broker_id: int) -> Question:
    """The question for the log dirs of one broker."""
    return LOG_DIRS.of_broker(broker_id, f"log dirs of broker {broker_id}")


def ask_log_dirs(client: KafkaClient, broker_id: int) -> Frame:
    """The DescribeLogDirs reply of that broker, about all its replicas. Raises KafkaError."""
    return client.frame_of_broker(broker_id, DescribeLogDirsRequest(topics=None))


def log_dirs_in(reply: Frame) -> Iterator[Reply]:
    """Each log dir of a reply. Raises KafkaError.

    Every broker has one. Before version 3 (Kafka 3.2) a reply has no error code, and an empty one is a refusal.
    """
    is_empty = True
    for log_dir in reply.each("results"):
        is_empty = False
        yield log_dir
    if is_empty:
        raise ClusterAuthorizationFailedError


def log_dir_row(broker_id: int, log_dir: Reply) -> Row:
    """A row of `admin_log_dirs`."""
    return broker_id, log_dir["log_dir"], error_name(log_dir["error_code"])


def space_rows(broker_id: int, log_dir: Reply) -> Iterator[Row]:
    """The row of `admin_log_dir_space`; none before Kafka 3.3, and for a log dir that has failed."""
    total, usable = log_dir.get("total_bytes", -1), log_dir.get("usable_bytes", -1)
    if total >= 0:
        yield broker_id, log_dir["log_dir"], total, usable if usable >= 0 else None


def size_rows(broker_id: int, log_dir: Reply) -> Iterator[Row]:
    """Rows of `admin_replica_sizes`. An offset lag of -1 means that the broker does not know it."""
    for topic in log_dir["topics"]:
        for replica in topic["partitions"]:
            lag = replica["offset_lag"]
            yield (
                broker_id,
                log_dir["log_dir"],
                topic["name"],
                replica["partition_index"],
                replica["is_future_key"],
                replica["partition_size"],
                lag if lag >= 0 else None,
            )
