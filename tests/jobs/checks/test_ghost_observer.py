from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from jobs.checks.ghost_observer import CHECK

NOW = datetime(2026, 11, 21, 14, 0, tzinfo=UTC)
VOTER = {"node_id": 101, "directory_id": "v", "role": "voter"}

Row = dict[str, Any]
Judge = Callable[..., dict[str, Any]]


@pytest.fixture
def judge(now: Any, past: Any, judged: Any) -> Judge:
    """Verdicts on observers, given as (node, directory, seconds since their last fetch); 101 leads."""

    def verdicts(
        *observers: tuple[int, str, float],
        brokers: tuple[int, ...],
        former: tuple[int, ...],
        fenced: tuple[int, ...] = (),
        more: tuple[Any, ...] = (),
    ) -> dict[str, Any]:
        members = [
            {"node_id": node, "directory_id": place, "role": "observer"} for node, place, _ in observers
        ]
        fetches = [
            {"node_id": node, "directory_id": place, "last_fetch_at": NOW - timedelta(seconds=silence)}
            for node, place, silence in (*observers, (101, "v", 0.0))
        ]
        found: dict[str, Any] = judged(
            CHECK,
            now("quorum_members", VOTER, *members),
            now("quorum_progress", *fetches),
            now("quorum", {"leader_id": 101, "leader_epoch": 1}),
            now("brokers", *[{"broker_id": number, "fenced": number in fenced} for number in brokers]),
            past("brokers", *[{"broker_id": number} for number in former]),
            *more,
        )
        return found

    return verdicts


def test_living_brokers_and_a_waiting_controller_are_no_ghosts(judge: Judge) -> None:
    assert judge((1, "a", 0.3), (102, "c", 0.4), brokers=(1,), former=(1,)) == {
        "node 1": "fine",
        "node 102": "fine",
    }


def test_a_former_broker_that_fell_silent_is_dying(judge: Judge) -> None:
    assert judge((1, "a", 12.0), brokers=(3,), former=(1, 3)) == {
        "node 1": {"ghost_class": "dying", "directory_ids": ["a"], "was_broker": True}
    }


def test_before_kafka_4_a_former_broker_that_fetches_may_be_starting(judge: Judge) -> None:
    assert judge((2, "b", 0.2), brokers=(3,), former=(2, 3)) == {
        "node 2": {"ghost_class": "unknown", "directory_ids": ["b"], "was_broker": True}
    }


def test_where_fenced_brokers_are_listed_one_that_fetches_and_is_not_registered_is_a_zombie(
    judge: Judge, now: Any
) -> None:
    listed = now("admin_brokers", {"broker_id": 3, "fenced": False})
    assert judge((2, "b", 0.2), brokers=(3,), former=(2, 3), more=(listed,)) == {
        "node 2": {"ghost_class": "zombie", "directory_ids": ["b"], "was_broker": True}
    }


@pytest.fixture
def judge_beside_checkpoint(judge: Judge, now: Any, before: Any) -> Callable[..., str]:
    """What node 2 is that fetches and is not listed: the checkpoint ends 20 s ago, the snapshot before was 60 s ago.

    `silences` are the seconds without a fetch of each node in the snapshot before; 101 leads.
    """

    def ghost_class(checkpoint: Row, silences: dict[int, float], *registered: int) -> str:
        ended = {"last_contained_at": NOW - timedelta(seconds=20)}
        then = [
            {"node_id": node, "last_fetch_at": NOW - timedelta(seconds=60 + silence)}
            for node, silence in ({101: 0.0} | silences).items()
        ]
        more = (
            now("metadata_checkpoints", ended | checkpoint),
            now("checkpoint_brokers", *[{"registered_id": node, "fenced": False} for node in registered]),
            before("quorum_progress", *then),
        )
        found: str = judge((2, "b", 0.9), brokers=(3,), former=(2, 3), more=more)["node 2"]["ghost_class"]
        return found

    return ghost_class


@pytest.mark.parametrize(
    ("checkpoint", "ghost_class"),
    [
        ({"last_contained_at": NOW - timedelta(seconds=59)}, "zombie"),
        ({"last_contained_at": NOW - timedelta(seconds=61)}, "unknown"),
        ({"problem": "it is cut"}, "unknown"),
        ({"is_current": False}, "unknown"),
    ],
)
def test_only_a_fresh_and_whole_checkpoint_tells_who_is_registered(
    judge_beside_checkpoint: Callable[..., str], checkpoint: Row, ghost_class: str
) -> None:
    assert judge_beside_checkpoint(checkpoint, {2: 0.4}, 3) == ghost_class


def test_a_broker_that_was_stopped_a_second_ago_is_no_zombie_while_the_checkpoint_still_has_it(
    judge_beside_checkpoint: Callable[..., str],
) -> None:
    assert judge_beside_checkpoint({}, {2: 0.4}, 2, 3) == "unknown"


def test_a_checkpoint_says_nothing_of_a_broker_that_started_after_it(
    judge_beside_checkpoint: Callable[..., str],
) -> None:
    """It was started, registered and was stopped since: the snapshot before the checkpoint did not see it fetch."""
    assert judge_beside_checkpoint({}, {}, 3) == "unknown"
    assert judge_beside_checkpoint({}, {2: 4.0}, 3) == "unknown"
    assert judge_beside_checkpoint({}, {2: 2.0}, 3) == "zombie"


def test_the_empty_checkpoint_of_a_cluster_that_was_just_formatted_makes_no_zombies(
    judge: Judge, now: Any, before: Any
) -> None:
    """Formatted half a minute ago, seen ten seconds ago, broker 2 stopped one second ago."""
    formatted = now("metadata_checkpoints", {"last_contained_at": NOW - timedelta(seconds=30)})
    then = [{"node_id": node, "last_fetch_at": NOW - timedelta(seconds=10)} for node in (2, 3, 101)]
    stopped = {"brokers": (3,), "former": (2, 3)}
    seen = judge((2, "b", 0.9), more=(formatted, before("quorum_progress", *then)), **stopped)
    assert seen["node 2"]["ghost_class"] == "unknown"
    seen_first = judge((2, "b", 0.9), more=(formatted,), **stopped)
    assert seen_first["node 2"]["ghost_class"] == "unknown"


def test_a_node_with_replicas_or_a_brokers_disk_is_a_former_broker_though_nobody_saw_it_registered(
    judge: Judge, now: Any
) -> None:
    """4 is assigned a replica, 5 has one on its disk; 102 has a controller's disk."""
    found = judge(
        *[(4, "d", 5.0), (5, "e", 5.0), (102, "c", 5.0)],
        brokers=(1,),
        former=(1,),
        more=(
            now("partitions", {"topic": "orders", "partition": 0, "replicas": [1, 4]}),
            now(
                "disk_replicas",
                {"broker_id": 5, "topic": "orders", "partition": 0},
                {"broker_id": 102, "topic": "__cluster_metadata", "partition": 0},
            ),
        ),
    )
    assert found == {
        "node 4": {"ghost_class": "dying", "directory_ids": ["d"], "was_broker": True},
        "node 5": {"ghost_class": "dying", "directory_ids": ["e"], "was_broker": True},
        "node 102": "fine",
    }


def test_what_goes_by_itself_is_told_quietly_and_under_its_cause(verdicts: Any, now: Any, past: Any) -> None:
    """1 is dying, 2 is doubled as an observer, 101 has a new directory while its old one still votes."""
    observers = [(1, "a"), (2, "old"), (2, "new"), (101, "new")]
    found = verdicts(
        CHECK,
        now(
            "quorum_members",
            VOTER,
            *[{"node_id": node, "directory_id": place, "role": "observer"} for node, place in observers],
        ),
        now("quorum_progress", {"node_id": 102, "last_fetch_at": NOW}),
        now("quorum", {"leader_id": 102, "leader_epoch": 1}),
        now("brokers", {"broker_id": 3}),
        past("brokers", {"broker_id": 1}, {"broker_id": 2}),
    )
    told = {
        subject: (row["evidence"]["ghost_class"], row["severity"], row["cause_check_id"])
        for subject, row in found.items()
    }
    assert told == {
        "node 1": ("dying", "info", "broker-down"),
        "node 2": ("doubled", "info", None),
        "node 101": ("doubled", "warning", "quorum-health"),
    }
    assert (found["node 1"]["cause_subject"], found["node 101"]["cause_subject"]) == ("broker 1", "quorum")


def test_a_node_nobody_knew_is_a_ghost_only_after_long_silence(judge: Judge) -> None:
    assert judge((7, "x", 29.0), (8, "y", 31.0), brokers=(1,), former=(1,)) == {
        "node 7": "fine",
        "node 8": {"ghost_class": "dying", "directory_ids": ["y"], "was_broker": False},
    }


def test_a_node_with_two_directories_is_doubled_even_when_it_lives(judge: Judge) -> None:
    assert judge((1, "old", 40.0), (1, "new", 0.1), brokers=(1,), former=(1,)) == {
        "node 1": {"ghost_class": "doubled", "directory_ids": ["new", "old"], "was_broker": True}
    }


def test_while_the_quorum_is_not_seen_nothing_is_known(now: Any, past: Any, judged: Any) -> None:
    observer = {"node_id": 1, "directory_id": "a", "role": "observer", "is_current": False}
    found = judged(
        CHECK,
        now("quorum_members", observer),
        now("quorum_progress"),
        now("quorum"),
        now("brokers", {"broker_id": 2}),
        past("brokers", {"broker_id": 1}),
    )
    assert found == {"node 1": "unknown"}


def test_while_the_brokers_are_not_seen_nothing_is_known(now: Any, past: Any, judged: Any) -> None:
    found = judged(
        CHECK,
        now("quorum_members", {"node_id": 1, "role": "observer"}),
        now("quorum_progress", {"node_id": 1, "last_fetch_at": None}),
        now("quorum"),
        now("brokers", {"broker_id": 2, "is_current": False}),
        past("brokers", {"broker_id": 1}),
    )
    assert found == {"node 1": "unknown"}


def test_a_fenced_broker_that_fell_silent_is_dying_and_one_that_fetches_is_starting(judge: Judge) -> None:
    assert judge((1, "a", 12.0), (2, "b", 0.2), brokers=(1, 2, 3), fenced=(1, 2), former=(3,)) == {
        "node 1": {"ghost_class": "dying", "directory_ids": ["a"], "was_broker": False},
        "node 2": "fine",
    }


def test_a_broker_that_is_still_fenced_and_no_observer_any_more_is_forgotten(
    now: Any, past: Any, judged: Any
) -> None:
    """2 is observed, 3 was not fenced before, 4 was back in between, 5 is not fenced, 6 is not seen, 7 is new."""

    registered = [{"broker_id": number, "fenced": number != 5} for number in (1, 2, 3, 4, 5, 7)]
    found = judged(
        CHECK,
        now("quorum_members", VOTER, {"node_id": 2, "directory_id": "b", "role": "observer"}),
        now("quorum_progress", {"node_id": 2, "last_fetch_at": NOW}, {"node_id": 101, "last_fetch_at": NOW}),
        now("quorum", {"leader_id": 101, "leader_epoch": 1}),
        now("brokers", *registered, {"broker_id": 6, "fenced": True, "is_current": False}),
        past(
            "brokers",
            *[{"broker_id": number, "fenced": True, "written_by": "1400"} for number in (1, 2, 4, 5, 6)],
            {"broker_id": 3, "fenced": False},
            {"broker_id": 4, "fenced": False, "op": "update", "written_by": "1410"},
        ),
    )
    assert found == {
        "node 1": {"ghost_class": "forgotten", "directory_ids": [], "was_broker": True},
        "node 2": "unknown",
        "node 6": "unknown",
    }


def test_a_broker_that_was_unregistered_in_between_is_not_forgotten(now: Any, past: Any, judged: Any) -> None:
    fenced = {"broker_id": 1, "fenced": True}
    found = judged(
        CHECK,
        now("quorum_members", VOTER),
        now("quorum_progress"),
        now("quorum"),
        now("brokers", fenced),
        past("brokers", fenced | {"written_by": "1400"}, fenced | {"op": "delete", "written_by": "1410"}),
    )
    assert found == {}


def test_while_the_quorum_is_not_seen_nobody_is_known_to_be_forgotten(
    now: Any, past: Any, judged: Any
) -> None:
    fenced = {"broker_id": 1, "fenced": True}
    found = judged(
        CHECK,
        now("quorum_members", VOTER | {"is_current": False}),
        now("quorum_progress"),
        now("quorum"),
        now("brokers", fenced),
        past("brokers", fenced),
    )
    assert found == {"node 1": "unknown"}


def test_nobody_is_told_to_stop_a_node_that_may_be_starting() -> None:
    """A broker fetches before it loads its logs and is unfenced after; before Kafka 4.0 it looks like a zombie so long."""
    assert CHECK.remedy.startswith("Do not stop a node because of this alone")
    assert "**Do not stop a process because of this finding alone.**" in CHECK.runbook
