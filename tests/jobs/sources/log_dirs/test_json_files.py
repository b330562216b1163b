import pytest

from jobs.sources.log_dirs.formats.java_text import ParseError
from jobs.sources.log_dirs.formats.json_files import QuorumState, parse_quorum_state

V0 = (
    b'{"clusterId":"","leaderId":100,"leaderEpoch":1,"votedId":-1,"appliedOffset":0,'
    b'"currentVoters":[{"voterId":100},{"voterId":101}],"data_version":0}'
)
V1 = b'{"leaderId":100,"leaderEpoch":1,"votedId":-1,"votedDirectoryId":"AAAAAAAAAAAAAAAAAAAAAA","data_version":1}'


def test_version_0_names_the_voters() -> None:
    assert parse_quorum_state(V0) == QuorumState(0, 100, 1, -1, None, [100, 101])


def test_version_1_names_none_and_a_zero_directory_id_is_no_id() -> None:
    assert parse_quorum_state(V1) == QuorumState(1, 100, 1, -1, None, None)


def test_a_vote_names_the_directory() -> None:
    voted = V1.replace(b"AAAAAAAAAAAAAAAAAAAAAA", b"GD1g-r6SDneyr6cfq8wnqQ").replace(b"-1", b"100")
    assert parse_quorum_state(voted) == QuorumState(1, 100, 1, 100, "GD1g-r6SDneyr6cfq8wnqQ", None)


def test_only_the_object_on_the_first_line_is_read() -> None:
    assert parse_quorum_state(V1 + b" more\nand more") == parse_quorum_state(V1)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "it is empty"),
        (b"{", "its first line does not begin with JSON"),
        (b"{}", "there is no data_version in {}"),
        (b'{"data_version":2}', "data_version 2 is neither 0 nor 1"),
        (b'{"data_version":1}', "there is no leaderId"),
    ],
)
def test_what_kafka_cannot_read_is_a_problem(content: bytes, problem: str) -> None:
    with pytest.raises(ParseError) as raised:
        parse_quorum_state(content)
    assert str(raised.value) == problem
