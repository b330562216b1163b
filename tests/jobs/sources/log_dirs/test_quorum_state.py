import pytest

from jobs.sources.log_dirs.formats.java_text import ParseError
from jobs.sources.log_dirs.formats.quorum_state import QuorumState, parse_quorum_state

P = "/d0/__cluster_metadata-0/quorum-state"
V0 = (
    b'{"clusterId":"","leaderId":100,"leaderEpoch":1,"votedId":-1,"appliedOffset":0,'
    b'"currentVoters":[{"voterId":100},{"voterId":101}],"data_version":0}'
)
V1 = b'{"leaderId":100,"leaderEpoch":1,"votedId":-1,"votedDirectoryId":"AAAAAAAAAAAAAAAAAAAAAA","data_version":1}'


def test_version_0_names_the_voters() -> None:
    assert parse_quorum_state(V0, P) == QuorumState(0, 100, 1, -1, None, [100, 101])


def test_version_1_names_none_and_a_zero_directory_id_is_no_id() -> None:
    assert parse_quorum_state(V1, P) == QuorumState(1, 100, 1, -1, None, None)


def test_a_vote_names_the_directory() -> None:
    voted = V1.replace(b"AAAAAAAAAAAAAAAAAAAAAA", b"GD1g-r6SDneyr6cfq8wnqQ").replace(b"-1", b"100")
    assert parse_quorum_state(voted, P) == QuorumState(1, 100, 1, 100, "GD1g-r6SDneyr6cfq8wnqQ", None)


def test_only_the_object_on_the_first_line_is_read() -> None:
    assert parse_quorum_state(V1 + b" more\nand more", P) == parse_quorum_state(V1, P)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", f"Error while reading the Quorum status from the file {P}: File ended prematurely."),
        (b"{", f"Error while reading the Quorum status from the file {P}"),
        (
            b"{}",
            f"Error while reading the Quorum status from the file {P}: "
            "Deserialized node {} does not have `data_version` field",
        ),
        (
            b'{"data_version":2}',
            "data_version (2) is not within the min (0) and max (1) supported version",
        ),
        (
            b'{"data_version":1}',
            "QuorumStateData: unable to locate field 'leaderId', which is mandatory in version 1",
        ),
    ],
)
def test_what_kafka_cannot_read_is_a_problem_in_its_words(content: bytes, problem: str) -> None:
    with pytest.raises(ParseError) as raised:
        parse_quorum_state(content, P)
    assert str(raised.value) == problem
