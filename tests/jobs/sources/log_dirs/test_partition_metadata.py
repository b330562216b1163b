import pytest

from jobs.sources.log_dirs.formats.java_text import ParseError
from jobs.sources.log_dirs.formats.partition_metadata import PartitionMetadata, parse_partition_metadata

P = "/d0/orders-3/partition.metadata"
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
    assert parse_partition_metadata(content, P) == ORDERS


def test_another_last_character_can_be_another_id() -> None:
    content = b"version: 0\ntopic_id: znkgOM6BTcupdjPAxhvoEA"
    assert parse_partition_metadata(content, P).topic_id == "znkgOM6BTcupdjPAxhvoEA"


def test_a_newer_version_is_accepted() -> None:
    assert parse_partition_metadata(b"version: 7\ntopic_id: znkgOM6BTcupdjPAxhvoEw", P).version == 7


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "NullPointerException: the file has fewer than two lines"),
        (b"version: 0\n", "NullPointerException: the file has fewer than two lines"),
        (
            b"version:0\ntopic_id: znkgOM6BTcupdjPAxhvoEw",
            f"Malformed line in checkpoint file [{P}]: version:0",
        ),
        (b"version: 0\ntopic_id:x", f"Malformed line in checkpoint file [{P}]: topic_id:x"),
        (b"garbage", f"Malformed line in checkpoint file [{P}]: garbage"),
        (b"version: -1\ntopic_id: x", f"Unrecognized version of partition metadata file + ({P}): -1"),
        (
            b"version: 0\ntopic_id: AAAAAAAAAAAAAAAAAAAAAA",
            f"Invalid topic ID in partition metadata file ({P})",
        ),
        (
            b"version: 0\ntopic_id: ce792038-ce81-4dcb-a976-33c0c61be813",
            "IllegalArgumentException: Input string with prefix `ce792038-ce81-4dcb-a976-` "
            "is too long to be decoded as a base64 UUID",
        ),
        (
            b"version: 0\ntopic_id: abcd",
            "IllegalArgumentException: Input string `abcd` decoded as 3 bytes, "
            "which is not equal to the expected 16 bytes of a base64-encoded UUID",
        ),
        (
            b"version: 0\ntopic_id: znkgOM6BTcupdjPAxhvoE/",
            "IllegalArgumentException: Illegal base64 character 2f",
        ),
    ],
)
def test_what_kafka_cannot_read_is_a_problem_in_its_words(content: bytes, problem: str) -> None:
    with pytest.raises(ParseError) as raised:
        parse_partition_metadata(content, P)
    assert str(raised.value) == problem
