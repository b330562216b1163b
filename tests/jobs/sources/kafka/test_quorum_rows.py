from datetime import UTC, datetime
from typing import Any

from jobs.sources.kafka.quorum import member_rows, progress_rows, quorum_row


def quorum_of(recorded: dict[str, Any]) -> dict[str, Any]:
    quorum: dict[str, Any] = recorded["describe_quorum"]["topics"][0]["partitions"][0]
    return quorum


def test_the_quorum_is_its_leader_and_epoch(healthy: dict[str, Any]) -> None:
    assert quorum_row(quorum_of(healthy)) == (100, 2)


def test_voters_have_endpoints_and_directory_ids_are_in_kafkas_own_form(healthy: dict[str, Any]) -> None:
    nodes = healthy["describe_quorum"]["nodes"]
    assert set(map(repr, member_rows(quorum_of(healthy), nodes))) == {
        "(100, 'tnlgVs3wQU-VrJ12qulaQA', 'voter', ['CONTROLLER://127.0.0.1:59085'])",
        "(1, 'GD1g-r6SDneyr6cfq8wnqQ', 'observer', None)",
        "(2, 'PheInf665Wpa2NdghR9bmw', 'observer', None)",
    }


def test_a_killed_broker_is_still_an_observer_and_falls_behind(broker_2_killed: dict[str, Any]) -> None:
    quorum = quorum_of(broker_2_killed)
    assert (2, "PheInf665Wpa2NdghR9bmw", "observer", None) in list(member_rows(quorum, []))
    lags = {row[0]: row[4] for row in progress_rows(quorum)}
    assert lags == {100: 0, 1: 0, 2: 30}


def test_times_are_the_leaders_clock(healthy: dict[str, Any]) -> None:
    leader = next(iter(progress_rows(quorum_of(healthy))))
    fetched = datetime(2026, 11, 21, 1, 58, 36, 753_000, tzinfo=UTC)
    assert leader == (100, "tnlgVs3wQU-VrJ12qulaQA", 1754, 1754, 0, fetched, fetched)


def test_before_kafka_3_9_there_are_no_directory_ids_and_before_3_3_no_times() -> None:
    quorum = {
        "leader_id": 1,
        "leader_epoch": 5,
        "high_watermark": 90,
        "current_voters": [{"replica_id": 1, "log_end_offset": 100}, {"replica_id": 2, "log_end_offset": 70}],
        "observers": [],
    }
    assert list(member_rows(quorum, [])) == [(1, None, "voter", None), (2, None, "voter", None)]
    assert list(progress_rows(quorum)) == [
        (1, None, 90, 100, 0, None, None),
        (2, None, 90, 70, 30, None, None),
    ]


def test_what_the_leader_does_not_know_is_null() -> None:
    never_fetched = {
        "replica_id": 2,
        "replica_directory_id": "00000000-0000-0000-0000-000000000000",
        "log_end_offset": -1,
        "last_fetch_timestamp": -1,
        "last_caught_up_timestamp": -1,
    }
    quorum = {
        "leader_id": 1,
        "leader_epoch": 5,
        "high_watermark": -1,
        "current_voters": [{**never_fetched, "replica_id": 1, "log_end_offset": 100}, never_fetched],
        "observers": [],
    }
    assert list(progress_rows(quorum))[1] == (2, None, -1, -1, None, None, None)


def test_a_leader_that_is_being_removed_is_an_observer_and_still_the_measure() -> None:
    quorum = {
        "leader_id": 1,
        "leader_epoch": 5,
        "high_watermark": 90,
        "current_voters": [{"replica_id": 2, "log_end_offset": 70}],
        "observers": [{"replica_id": 1, "log_end_offset": 100}],
    }
    assert {row[0]: row[4] for row in progress_rows(quorum)} == {2: 30, 1: 0}
