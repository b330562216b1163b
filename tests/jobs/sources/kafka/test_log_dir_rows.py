from typing import Any

import pytest
from kafka.errors import ClusterAuthorizationFailedError, UnknownError
from kafka.protocol.admin import DescribeLogDirsResponse

from jobs.sources.kafka.connection.frame import Frame
from jobs.sources.kafka.log_dirs import log_dir_row, log_dirs_in, size_rows, space_rows
from tests.jobs.sources.kafka.frames import framed

BEFORE_ERRORS, BEFORE_SPACE, NEWEST = 2, 3, 5
STORAGE_ERROR = 56

DIR = DescribeLogDirsResponse.DescribeLogDirsResult
TOPIC = DIR.DescribeLogDirsTopic


def reply(version: int, *log_dirs: Any, **fields: Any) -> Frame:
    return framed(DescribeLogDirsResponse, version, results=list(log_dirs), **fields)


def healthy(version: int, **fields: Any) -> Any:
    current = TOPIC.DescribeLogDirsPartition(
        version=version, partition_index=0, partition_size=4096, offset_lag=0, is_future_key=False
    )
    future = TOPIC.DescribeLogDirsPartition(
        version=version, partition_index=1, partition_size=128, offset_lag=-1, is_future_key=True
    )
    topic = TOPIC(version=version, name="orders", partitions=[current, future])
    return DIR(version=version, error_code=0, log_dir="/d0", topics=[topic], **fields)


def failed(version: int, code: int = STORAGE_ERROR) -> Any:
    return DIR(version=version, error_code=code, log_dir="/d1", topics=[])


def only(answer: Frame) -> dict[str, Any]:
    (log_dir,) = log_dirs_in(answer)
    return log_dir


def test_a_failed_log_dir_has_kafkas_error_and_the_other_has_none() -> None:
    dirs = list(log_dirs_in(reply(NEWEST, healthy(NEWEST), failed(NEWEST))))
    assert [log_dir_row(1, each) for each in dirs] == [
        (1, "/d0", None),
        (1, "/d1", "KAFKA_STORAGE_ERROR"),
    ]


def test_an_error_of_a_newer_kafka_is_named_by_its_number() -> None:
    assert log_dir_row(1, only(reply(NEWEST, failed(NEWEST, 4711)))) == (1, "/d1", "UNKNOWN_4711")


def test_replicas_have_their_size_and_a_lag_that_is_not_known_is_null() -> None:
    assert list(size_rows(1, only(reply(NEWEST, healthy(NEWEST))))) == [
        (1, "/d0", "orders", 0, False, 4096, 0),
        (1, "/d0", "orders", 1, True, 128, None),
    ]


def test_room_is_told_from_kafka_3_3_on_and_for_a_dir_that_works() -> None:
    told = only(reply(NEWEST, healthy(NEWEST, total_bytes=1000, usable_bytes=400)))
    assert list(space_rows(1, told)) == [(1, "/d0", 1000, 400)]
    assert list(space_rows(1, only(reply(BEFORE_SPACE, healthy(BEFORE_SPACE))))) == []
    assert list(space_rows(1, only(reply(NEWEST, failed(NEWEST))))) == []


@pytest.mark.parametrize("version", [BEFORE_ERRORS, NEWEST])
def test_an_answer_without_a_log_dir_is_a_refusal(version: int) -> None:
    with pytest.raises(ClusterAuthorizationFailedError):
        list(log_dirs_in(reply(version)))


def test_the_error_of_the_whole_answer_is_raised() -> None:
    with pytest.raises(UnknownError):
        list(log_dirs_in(reply(NEWEST, error_code=-1)))
