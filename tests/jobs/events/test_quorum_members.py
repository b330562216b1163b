from typing import Any

from jobs.events import quorum_members


def _member(node_id: int, role: str, directory_id: str | None = "d", **more: Any) -> dict[str, Any]:
    return {"node_id": node_id, "directory_id": directory_id, "role": role, **more}


def test_members_appear_vanish_and_change_their_role(changes: Any, told: Any) -> None:
    changed = changes(
        "quorum_members",
        (_member(102, "observer"), _member(102, "voter")),
        (_member(101, "voter"), _member(101, "observer")),
        (_member(103, "voter"), _member(103, "voter", endpoints=["CONTROLLER://h:1"])),
        (None, _member(1, "observer", None)),
        (_member(2, "observer"), None),
        (None, _member(104, "voter")),
        (_member(105, "voter"), None),
    )
    assert told(quorum_members, changed) == {
        ("voter-promoted", "node 102", "observer", "voter", 0),
        ("voter-demoted", "node 101", "voter", "observer", 0),
        ("observer-appeared", "node 1", None, None, 0),
        ("observer-vanished", "node 2", "d", None, 0),
        ("voter-appeared", "node 104", None, "d", 0),
        ("voter-vanished", "node 105", "d", None, 0),
    }


def test_a_directory_id_that_becomes_known_or_unknown_is_nobody_who_comes_or_goes(
    changes: Any, told: Any
) -> None:
    """Brokers before Kafka 3.9 do not tell directory ids, and in a rolling upgrade either kind may be asked."""
    voter = {"node_id": 1, "role": "voter"}
    observer = {"node_id": 2, "role": "observer", "directory_id": "c8DXNpGiSY2eJOVY1qqjbA"}
    changed = changes(
        "quorum_members",
        (voter, None),
        (None, voter | {"directory_id": "vV5u0_NiSR-iJzmV8S97dg"}),
        (observer, None),
        (None, observer | {"directory_id": None}),
        ({"node_id": 3, "role": "observer"}, None),
    )
    assert told(quorum_members, changed) == {("observer-vanished", "node 3", None, None, 0)}
