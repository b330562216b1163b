import pytest

from jobs.sources.log_dirs.formats.java_text import ParseError
from jobs.sources.log_dirs.formats.metadata_records import (
    BrokerRegistration,
    Listener,
    SupportedFeature,
    Voter,
    feature_level,
    kraft_version,
    register_broker,
    snapshot_footer,
    snapshot_header,
    voters,
)
from jobs.sources.log_dirs.formats.wire import Reader

ID = b"\x00\x00\x00\x07"
INCARNATION = bytes(range(16))
EPOCH = b"\x00\x00\x00\x00\x00\x00\x00\x2a"
LISTENERS = b"\x02\x09EXTERNAL\x03b7\x23\x85\x00\x01\x00"
FEATURES = b"\x02\x11metadata.version\x00\x01\x00\x15\x00"
RACK = b"\x03r1"
V0 = ID + INCARNATION + EPOCH + LISTENERS + FEATURES + RACK + b"\x01" + b"\x00"
V1 = V0[:-1] + b"\x01" + b"\x00"
V2 = ID + b"\x01" + V1[4:]
V3 = V2[:-1] + b"\x01\x00\x11\x02" + INCARNATION


def registration(**others: object) -> BrokerRegistration:
    known = {
        "broker_id": 7,
        "epoch": 42,
        "incarnation_id": "AAECAwQFBgcICQoLDA0ODw",
        "listeners": [Listener("EXTERNAL", "EXTERNAL://b7:9093", "SSL")],
        "features": [SupportedFeature("metadata.version", 1, 21)],
        "rack": "r1",
        "fenced": True,
        "in_controlled_shutdown": False,
        "is_migrating": False,
        "log_dirs": [],
    }
    return BrokerRegistration(**(known | others))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("version", "content", "expected"),
    [
        (0, V0, registration()),
        (1, V1, registration(in_controlled_shutdown=True)),
        (2, V2, registration(in_controlled_shutdown=True, is_migrating=True)),
        (
            3,
            V3,
            registration(in_controlled_shutdown=True, is_migrating=True, log_dirs=["AAECAwQFBgcICQoLDA0ODw"]),
        ),
    ],
)
def test_every_version_of_a_registration_is_read_to_its_end(
    version: int, content: bytes, expected: BrokerRegistration
) -> None:
    reader = Reader(content)
    assert register_broker(reader, version) == expected
    assert reader.remaining == 0


def test_a_registration_may_have_no_rack_and_be_unfenced() -> None:
    plain = ID + INCARNATION + EPOCH + LISTENERS + FEATURES + b"\x00" + b"\x00" + b"\x00"
    assert register_broker(Reader(plain), 0) == registration(rack=None, fenced=False)


def test_an_ipv6_host_is_in_brackets_and_an_unknown_protocol_is_null() -> None:
    listeners = b"\x02\x02X\x04::1\xff\xff\x00\x09\x00"
    content = V0.replace(LISTENERS, listeners)
    assert register_broker(Reader(content), 0).listeners == [Listener("X", "X://[::1]:65535", None)]


def test_a_tag_that_is_newer_is_passed_over() -> None:
    content = V2[:-1] + b"\x02\x00\x11\x02" + INCARNATION + b"\x09\x03new"
    assert register_broker(Reader(content), 3).log_dirs == ["AAECAwQFBgcICQoLDA0ODw"]


def test_a_version_that_is_newer_is_not_guessed_at() -> None:
    with pytest.raises(
        ParseError, match=r"^Can't read version 4 of RegisterBrokerRecord: it is newer than Kafka 4.1$"
    ):
        register_broker(Reader(V3), 4)
    with pytest.raises(ParseError, match=r"^Can't read version 1 of FeatureLevelRecord"):
        feature_level(Reader(b""), 1)
    with pytest.raises(ParseError, match=r"^Can't read version 1 of VotersRecord"):
        voters(Reader(b"\x00\x01"))


def test_a_feature_has_a_level() -> None:
    assert feature_level(Reader(b"\x11metadata.version\x00\x15\x00"), 0) == ("metadata.version", 21)


def test_a_voter_is_a_node_with_its_directory_and_a_zero_id_is_none() -> None:
    endpoints = b"\x02\x02C\x03c1\x23\x85\x00"
    feature = b"\x00\x00\x00\x01\x00"
    first = b"\x00\x00\x00\x65" + INCARNATION + endpoints + feature + b"\x00"
    second = b"\x00\x00\x00\x66" + bytes(16) + endpoints + feature + b"\x00"
    reader = Reader(b"\x00\x00\x03" + first + second + b"\x00")
    assert voters(reader) == [Voter(101, "AAECAwQFBgcICQoLDA0ODw"), Voter(102, None)]
    assert reader.remaining == 1


def test_control_records_say_when_with_which_protocol_and_that_it_is_finished() -> None:
    assert snapshot_header(Reader(b"\x00\x00\x00\x00\x01\xa1\xfc\x7a\xcf\x6d\x00")) == 1795237269357
    assert kraft_version(Reader(b"\x00\x00\x00\x01\x00")) == 1
    footer = Reader(b"\x00\x00\x00")
    snapshot_footer(footer)
    assert footer.remaining == 1
