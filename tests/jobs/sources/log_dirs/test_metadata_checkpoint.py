"""Checkpoints that real controllers wrote, whole and spoilt. Broker 2 of three had been stopped in order."""

import struct
from base64 import b64encode
from collections.abc import Iterable
from hashlib import sha256
from hmac import digest
from pathlib import Path

import pytest
from google_crc32c import value as crc32c
from hypothesis import given, settings
from hypothesis import strategies as st

from jobs.sources.log_dirs.formats.java_text import ParseError
from jobs.sources.log_dirs.formats.metadata_checkpoint import parse_metadata_checkpoint
from jobs.sources.log_dirs.formats.metadata_records import Listener, SupportedFeature, Voter

DATA = Path(__file__).parents[3] / "data/log_dirs"
CANARY = b"s3cr3t-c4n4ry"
SCRAM_SALT = b"salt-c4n4ry-salt-c4n4ry."
SCRAM_STORED_KEY = sha256(digest(b"s3cr3t-c4n4ry-salted-password-32", b"Client Key", "sha256")).digest()

HEADER = (b"\x00\x00\x00\x03", b"\x00\x00\x00\x00\x01\xa1\xfc\x7a\xcf\x6d\x00")
FOOTER = (b"\x00\x00\x00\x04", b"\x00\x00\x00")
FEATURE = (None, b"\x01\x0c\x00\x11metadata.version\x00\x15\x00")

Record = tuple[bytes | None, bytes]


def recorded(version: str) -> bytes:
    """The newest checkpoint of the recorded controller."""
    return max((DATA / f"kraft-{version}").glob("**/*.checkpoint")).read_bytes()


def batch(*records: Record, is_control: bool = False) -> bytes:
    """A record batch as Kafka writes it; keys and values below 60 bytes."""
    payload = b"".join(map(framed, records))
    count = len(records)
    rest = struct.pack(">hiqqqhii", 0x20 if is_control else 0, count - 1, 0, 0, -1, -1, -1, count) + payload
    return struct.pack(">qiibI", 0, len(rest) + 9, 1, 2, crc32c(rest)) + rest


def framed(record: Record) -> bytes:
    key, value = record
    shown = b"\x01" if key is None else bytes([2 * len(key)]) + key
    body = b"\x00\x00\x00" + shown + bytes([2 * len(value)]) + value + b"\x00"
    return (
        bytes([2 * len(body)])
        if len(body) < 64
        else struct.pack("BB", 2 * len(body) & 0x7F | 0x80, len(body) >> 6)
    ) + body


def checkpoint(*data: Record) -> bytes:
    return batch(HEADER, is_control=True) + batch(*data) + batch(FOOTER, is_control=True)


def test_kafka_3_3_says_who_is_registered_and_who_of_them_is_fenced() -> None:
    found = parse_metadata_checkpoint(recorded("3.3.2"))
    assert (found.last_contained_ms, found.kraft_version, found.voters) == (1795237269357, 0, None)
    assert found.features == {"metadata.version": 7}
    assert {
        number: (broker.fenced, broker.rack, broker.epoch) for number, broker in found.brokers.items()
    } == {
        1: (False, "rack-1", 7),
        2: (True, "rack-2", 3),
        3: (False, "rack-3", 2),
    }
    assert found.records == {0: 3, 2: 1, 3: 3, 4: 3, 12: 1}


def test_kafka_3_9_says_the_voters_and_the_log_dirs_too() -> None:
    found = parse_metadata_checkpoint(recorded("3.9.1"))
    assert (found.kraft_version, found.voters) == (1, [Voter(101, "W-KQHgvZQnOkUSmLFcmLKg")])
    assert found.features == {"metadata.version": 21}
    stopped = found.brokers[2]
    assert (stopped.epoch, stopped.incarnation_id) == (9, "gzwjCU1cRoe8yj_rmhD1Tg")
    assert (stopped.fenced, stopped.in_controlled_shutdown, stopped.is_migrating) == (True, True, False)
    assert stopped.listeners == [Listener("PLAINTEXT", "PLAINTEXT://127.0.0.1:28289", "PLAINTEXT")]
    assert stopped.features == [
        SupportedFeature("kraft.version", 0, 1),
        SupportedFeature("metadata.version", 1, 21),
    ]
    assert stopped.log_dirs == ["slZt81d0sXxHmLYuz9lK5w", "7P8mo8nEmydoKza9SlSPsA"]
    assert [number for number, broker in found.brokers.items() if not broker.fenced] == [1, 3]


def test_kafka_4_1_says_the_levels_of_all_features() -> None:
    found = parse_metadata_checkpoint(recorded("4.1.0"))
    assert found.features == {
        "eligible.leader.replicas.version": 1,
        "group.version": 1,
        "metadata.version": 27,
        "transaction.version": 2,
    }
    assert [(number, broker.fenced) for number, broker in sorted(found.brokers.items())] == [
        (1, False),
        (2, True),
        (3, False),
    ]


def test_the_checkpoint_that_formatting_leaves_names_the_voters_and_no_broker() -> None:
    first = (
        DATA / "kraft-3.9.1/controller-101/__cluster_metadata-0/00000000000000000000-0000000000.checkpoint"
    )
    found = parse_metadata_checkpoint(first.read_bytes())
    assert (found.voters, found.features, found.brokers) == ([Voter(101, "W-KQHgvZQnOkUSmLFcmLKg")], {}, {})


def test_no_secret_of_the_file_is_in_what_is_read_from_it() -> None:
    content = recorded("3.9.1")
    secrets = (CANARY, SCRAM_SALT, SCRAM_STORED_KEY)
    assert all(secret in content for secret in secrets)
    assert_holds_none(repr(parse_metadata_checkpoint(content)), secrets)


def test_no_secret_of_the_file_is_in_a_problem() -> None:
    content = recorded("3.9.1")
    for end in range(len(content)):
        assert_holds_none(problem_of(content[:end]), (CANARY, SCRAM_SALT, SCRAM_STORED_KEY))


def assert_holds_none(text: str, secrets: Iterable[bytes]) -> None:
    for secret in secrets:
        forms = (repr(secret)[2:-1], secret.hex(), b64encode(secret).decode())
        assert not [form for form in forms if form in text]


def problem_of(content: bytes) -> str:
    with pytest.raises(ParseError) as refusal:
        parse_metadata_checkpoint(content)
    return str(refusal.value)


@pytest.mark.parametrize("version", ["3.3.2", "3.9.1", "4.1.0"])
def test_a_checkpoint_that_is_cut_anywhere_is_not_trusted(version: str) -> None:
    content = recorded(version)
    assert all(problem_of(content[:end]) for end in range(len(content)))


@settings(deadline=None)
@given(st.data())
def test_no_flipped_bit_changes_what_is_read(data: st.DataObject) -> None:
    content = bytearray(recorded("3.9.1"))
    position = data.draw(st.integers(0, len(content) - 1))
    content[position] ^= 1 << data.draw(st.integers(0, 7))
    try:
        found = parse_metadata_checkpoint(bytes(content))
    except ParseError:
        return
    assert found == parse_metadata_checkpoint(recorded("3.9.1"))


@settings(deadline=None)
@given(st.binary(max_size=200), st.lists(st.binary(min_size=1, max_size=60), max_size=3))
def test_no_bytes_make_it_fail_in_another_way(content: bytes, values: list[bytes]) -> None:
    for spoilt in (content, checkpoint(*[(None, value) for value in values])):
        try:
            parse_metadata_checkpoint(spoilt)
        except ParseError:
            continue


def test_records_of_other_types_are_counted_and_passed_over_even_when_nobody_knows_them() -> None:
    found = parse_metadata_checkpoint(
        checkpoint(FEATURE, (None, b"\x01\x04\x00secret"), (None, b"\x01\xe7\x07\x09?"))
    )
    assert (found.features, found.records) == ({"metadata.version": 21}, {12: 1, 4: 1, 999: 1})


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "there is no SnapshotFooter in its 0 bytes: it was not finished, or cut"),
        (
            batch(HEADER, is_control=True) + batch(FEATURE),
            "there is no SnapshotFooter in its 174 bytes: it was not finished, or cut",
        ),
        (b"x", "batch at byte 0: the file ends within the header of a batch, after 1 byte(s) of it"),
        (
            checkpoint(FEATURE) + b"\n",
            "batch at byte 249: the file ends within the header of a batch, after 1 byte(s) of it",
        ),
        (checkpoint(FEATURE) + batch(FEATURE), "batch at byte 249: there is more after the SnapshotFooter"),
        (
            batch(HEADER, FOOTER, HEADER, is_control=True),
            "batch at byte 0: there is a record after the SnapshotFooter",
        ),
        (batch(FEATURE), "batch at byte 0: the file does not begin with a SnapshotHeader"),
        (
            batch(FOOTER, is_control=True),
            "batch at byte 0: the file does not begin with its one SnapshotHeader",
        ),
        (
            batch(HEADER, HEADER, is_control=True),
            "batch at byte 0: the file does not begin with its one SnapshotHeader",
        ),
        (
            batch(HEADER, (b"\x00\x00\x00\x09", b"?"), is_control=True),
            "batch at byte 0: Unknown control record type 9",
        ),
        (
            batch(HEADER, (None, b"?"), is_control=True),
            "batch at byte 0: Missing key in the record when a key was expected",
        ),
        (
            batch(HEADER, (b"\x00", b"?"), is_control=True),
            "batch at byte 0: Error reading byte array of 2 byte(s): only 1 byte(s) available",
        ),
        (checkpoint((b"k", b"\x01\x0c")), "batch at byte 83: Got key in the record when no key was expected"),
        (
            checkpoint((None, b"\x00\x0c\x00")),
            "batch at byte 83: Could not deserialize metadata record with frame version 0. Note that upgrades "
            "from the preview release of KRaft in 2.8 to newer versions are not supported.",
        ),
        (
            checkpoint((None, b"\x02\x0c\x00")),
            "batch at byte 83: Could not deserialize metadata record due to unknown frame version 2"
            "(only frame version 1 is supported)",
        ),
        (
            checkpoint((None, FEATURE[1] + b"\x00")),
            "batch at byte 83: Found 1 byte(s) of garbage after the record of type 12",
        ),
        (
            checkpoint((None, b"\x01\x00\x04\x00")),
            "batch at byte 83: Can't read version 4 of RegisterBrokerRecord: it is newer than Kafka 4.1",
        ),
        (
            checkpoint((None, b"\x01\x07\x00\x00\x00\x00\x01")),
            "batch at byte 83: a FenceBrokerRecord has no place in a checkpoint, which holds what is, not what changed",
        ),
    ],
)
def test_what_is_malformed_is_named_with_the_batch_it_is_in(content: bytes, problem: str) -> None:
    assert problem_of(content) == problem
