import pytest

from jobs.sources.log_dirs.formats.java_text import ParseError
from jobs.sources.log_dirs.formats.partition_metadata import PartitionMetadata, parse_partition_metadata

ORDERS = PartitionMetadata(0, "znkgOM6BTcupdjPAxhvoEw")


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"version: 0\ntopic_id: znkgOM6BTcupdjPAxhvoEw", id="as Kafka writes it"),
        pytest.param(b"version: 0\ntopic_id: znkgOM6BTcupdjPAxhvoEw\n", id="with a final newline"),
        pytest.param(
            b"version: 0\ntopic_id: znkgOM6BTcupdjPAxhvoEw\nmore\n", id="text after line 2 is ignored"
        ),
        pytest.param(b"a: 0\nb: znkgOM6BTcupdjPAxhvoEw", id="names of the keys are ignored"),
        pytest.param(b"version: 0\ntopic_id: znkgOM6BTcupdjPAxhvoE3", id="spare bits of the last character"),
        pytest.param(b"version: 0\ntopic_id: znkgOM6BTcupdjPAxhvoEw==", id="with padding"),
    ],
)
def test_what_kafka_reads_as_one_id_is_one_id(content: bytes) -> None:
    assert parse_partition_metadata(content) == ORDERS


def test_another_last_character_can_be_another_id() -> None:
    content = b"version: 0\ntopic_id: znkgOM6BTcupdjPAxhvoEA"
    assert parse_partition_metadata(content).topic_id == "znkgOM6BTcupdjPAxhvoEA"


def test_a_newer_version_is_accepted() -> None:
    assert parse_partition_metadata(b"version: 7\ntopic_id: znkgOM6BTcupdjPAxhvoEw").version == 7


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "it has fewer than two lines"),
        (b"version: 0\n", "it has fewer than two lines"),
        (b"version:0\ntopic_id: znkgOM6BTcupdjPAxhvoEw", "malformed line: version:0"),
        (b"version: 0\ntopic_id:x", "malformed line: topic_id:x"),
        (b"garbage\ntopic_id: x", "malformed line: garbage"),
        (b"garbage", "it has fewer than two lines"),
        (b"version: -1\ntopic_id: znkgOM6BTcupdjPAxhvoEw", "version -1 is negative"),
        (
            b"version: 0\ntopic_id: AAAAAAAAAAAAAAAAAAAAAA",
            "its topic id is that of zeros, which stands for none",
        ),
        (
            b"version: 0\ntopic_id: ce792038-ce81-4dcb-a976-33c0c61be813",
            '"ce792038-ce81-4dcb-a976-33c0c61be813" is no id of 22 base64 characters',
        ),
        (b"version: 0\ntopic_id: abcd", '"abcd" is no id of 22 base64 characters'),
        (
            b"version: 0\ntopic_id: znkgOM6BTcupdjPAxhvoE/",
            '"znkgOM6BTcupdjPAxhvoE/" is no id of 22 base64 characters',
        ),
    ],
)
def test_what_kafka_cannot_read_is_a_problem(content: bytes, problem: str) -> None:
    with pytest.raises(ParseError) as raised:
        parse_partition_metadata(content)
    assert str(raised.value) == problem
