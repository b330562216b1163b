from collections.abc import Callable

Broken = Callable[..., dict[str, str | None]]
VOTER = {"node_id": 1, "directory_id": "Zm9ydHktdHdvLWRpcmVjdA", "role": "voter"}
OBSERVER = {"node_id": 2, "directory_id": None, "role": "observer"}


def test_a_quorum_has_a_voter(broken_by: Broken) -> None:
    assert broken_by("quorum_members", OBSERVER, {**OBSERVER, "node_id": 3}) == {
        "there is at least one voter": "1 missing voter"
    }


def test_one_voter_is_enough_and_a_cluster_without_a_quorum_needs_none(broken_by: Broken) -> None:
    assert broken_by("quorum_members", VOTER, OBSERVER) == {}
    assert broken_by("quorum_members") == {}


def test_a_member_has_a_node_id_and_a_directory_id_in_kafkas_form(broken_by: Broken) -> None:
    hyphenated = {**OBSERVER, "directory_id": "666f7274-792d-7477-6f2d-646972656374"}
    assert broken_by("quorum_members", VOTER, hyphenated, {**OBSERVER, "node_id": -1}) == {
        "directory_id is 22 characters when present": (
            "1 row, such as 2, 666f7274-792d-7477-6f2d-646972656374"
        ),
        "node_id is not negative": "1 row, such as -1",
    }
