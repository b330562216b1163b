from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from jobs.checks.data_lost import CHECK

READ_AT = datetime(2026, 11, 21, 14, 0, tzinfo=UTC)
ID, OTHER_ID = "vV5u0_NiSR-iJzmV8S97dg", "7a4WN04ORRCS7XRw8eKNyg"

Epochs = list[tuple[int, int]]


def _key(broker_id: int) -> dict[str, Any]:
    return {"broker_id": broker_id, "path": "/d0", "dir_name": "orders-0"}


def _replica(broker_id: int, epochs: Epochs, topic_id: str = ID, **more: Any) -> dict[str, Any]:
    written = [{"epoch": epoch, "start_offset": start} for epoch, start in epochs]
    names = {"topic": "orders", "partition": 0, "kind": "current", "topic_id": topic_id}
    return _key(broker_id) | names | {"leader_epochs": written} | more


def _offset(broker_id: int, high_watermark: int | None) -> dict[str, Any]:
    return _key(broker_id) | {"topic": "orders", "partition": 0, "high_watermark": high_watermark}


def _led_by(leader: int, isr: list[int], **more: Any) -> dict[str, Any]:
    return {
        "topic": "orders",
        "partition": 0,
        "leader": leader,
        "isr": isr,
        "replicas": [1, 2],
    } | more


def _changed(broker_id: int, before: Epochs, topic_id: str = ID) -> dict[str, Any]:
    """A replica that was otherwise in the snapshot before."""
    return _key(broker_id) | {"before": _replica(broker_id, before, topic_id)}


def test_a_broker_that_led_from_an_empty_disk_has_cut_the_others(
    now: Any, before: Any, changes: Any, judged: Any
) -> None:
    found = judged(
        CHECK,
        now("partitions", _led_by(1, [1, 2])),
        now("disk_replicas", _replica(1, [(4, 0)]), _replica(2, [(4, 0)])),
        now("disk_offsets", _offset(1, 0), _offset(2, 0)),
        before("disk_offsets", _offset(1, 105), _offset(2, 105)),
        changes("disk_replicas", _changed(1, [(2, 0)]), _changed(2, [(2, 0)])),
    )
    assert found == {
        "orders-0": {
            "why": "records gone",
            "lost_from": 0,
            "lost_until": 105,
            "leader": 1,
            "replicas": [1, 2],
            "had_them": [1, 2],
            "still_on": [],
        }
    }


def test_a_leader_whose_log_is_just_being_made_lacks_all_that_was_there(
    now: Any, before: Any, judged: Any
) -> None:
    def lost(topic_id: str, epochs: Epochs) -> dict[str, Any]:
        told: dict[str, Any] = judged(
            CHECK,
            now("partitions", _led_by(1, [1])),
            now("topics", {"topic": "orders", "topic_id": topic_id}),
            now("disk_replicas", _replica(1, []) | {"topic_id": None}, _replica(2, epochs)),
            now("disk_offsets", _offset(1, None), _offset(2, 90)),
            before("disk_offsets", _offset(2, 105)),
        )
        return told

    assert (lost(ID, [(0, 0)])["orders-0"]["lost_from"], lost(ID, [(0, 0)])["orders-0"]["still_on"]) == (
        0,
        [2],
    )
    assert lost(OTHER_ID, [(0, 0)]) == {}  # a topic that was made again
    assert lost(ID, []) == {}  # of a message format without epochs


def test_the_only_replica_may_lie_in_another_log_dir_when_it_was_made_anew(
    now: Any, before: Any, changes: Any, judged: Any
) -> None:
    found = judged(
        CHECK,
        now("partitions", _led_by(1, [1])),
        now("disk_replicas", _replica(1, [(4, 0)], path="/d1")),
        now("disk_offsets", _offset(1, 0) | {"path": "/d1"}),
        before("disk_offsets", _offset(1, 105)),
        changes("disk_replicas", _changed(1, [(2, 0)]) | {"op": "delete"}),
    )
    assert (found["orders-0"]["lost_from"], found["orders-0"]["lost_until"]) == (0, 105)


def test_a_dead_broker_may_still_hold_what_an_unclean_leader_lacks(now: Any, judged: Any) -> None:
    found = judged(
        CHECK,
        now("partitions", _led_by(2, [2])),
        now("disk_replicas", _replica(1, [(0, 0), (3, 90)]), _replica(2, [(0, 0), (5, 60)])),
        now("disk_offsets", _offset(1, 105), _offset(2, 70)),
    )
    assert found["orders-0"]["lost_from"] == 60
    assert found["orders-0"]["lost_until"] == 105
    assert found["orders-0"]["still_on"] == [1]


@pytest.mark.parametrize(
    ("leader", "held", "was"),
    [
        ([(0, 0), (4, 105)], 105, 105),  # a clean election
        ([(0, 0), (4, 130)], 140, 105),  # more was written before it
        ([(4, 900)], 950, 105),  # retention has cut the begin
        ([(0, 0)], 100, 105),  # an older checkpoint of the same epoch
    ],
)
def test_clean_elections_and_retention_lose_nothing(
    now: Any, before: Any, changes: Any, judged: Any, leader: Epochs, held: int, was: int
) -> None:
    found = judged(
        CHECK,
        now("partitions", _led_by(1, [1, 2])),
        now("disk_replicas", _replica(1, leader), _replica(2, [(0, 0)])),
        now("disk_offsets", _offset(1, held), _offset(2, 90)),
        before("disk_offsets", _offset(1, was), _offset(2, was)),
        changes("disk_replicas", _changed(1, [(0, 0)])),
    )
    assert found == {}


def test_a_follower_that_is_cut_or_made_anew_loses_nothing(now: Any, before: Any, judged: Any) -> None:
    found = judged(
        CHECK,
        now("partitions", _led_by(1, [1, 2])),
        now("disk_replicas", _replica(1, [(0, 0)]), _replica(2, [(0, 0)])),
        now("disk_offsets", _offset(1, 105), _offset(2, 0)),
        before("disk_offsets", _offset(1, 105), _offset(2, 105)),
    )
    assert found == {}


def test_a_topic_that_was_made_again_is_another_one(now: Any, before: Any, changes: Any, judged: Any) -> None:
    frames = (
        now("partitions", _led_by(1, [1])),
        before("disk_offsets", _offset(1, 105), _offset(2, 105)),
    )
    replaced = now("disk_replicas", _replica(1, [(1, 0)], OTHER_ID), _replica(2, [(0, 0)]))
    assert judged(CHECK, *frames, replaced, changes("disk_replicas", _changed(1, [(0, 0)]))) == {}


def test_what_was_not_seen_of_the_leader_tells_nothing(now: Any, before: Any, judged: Any) -> None:
    earlier = before("disk_offsets", _offset(2, 105))
    replicas = _replica(1, [(4, 0)]), _replica(2, [(0, 0)])
    hidden = now("disk_replicas", replicas[0] | {"is_current": False}, replicas[1])
    assert judged(CHECK, now("partitions", _led_by(1, [1])), hidden, earlier) == {}
    unseen = now("partitions", _led_by(1, [1], is_current=False))
    assert judged(CHECK, unseen, now("disk_replicas", *replicas), earlier) == {}


def test_without_disks_the_leaders_tell_consumers_of_an_end_that_went_back(
    now: Any, before: Any, past: Any, judged: Any
) -> None:
    def offset(high_watermark: int | None) -> dict[str, Any]:
        return {"topic": "orders", "partition": 0, "leader": 1, "high_watermark": high_watermark}

    def lost(topic_id: str, end: int | None) -> dict[str, Any]:
        told: dict[str, Any] = judged(
            CHECK,
            now("partitions", _led_by(1, [1, 2])),
            now("topics", {"topic": "orders", "topic_id": topic_id}),
            past("topics", {"topic": "orders", "topic_id": ID, "written_by": "20261121T130000Z"}),
            now("admin_offsets", offset(end)),
            before("admin_offsets", offset(105)),
        )
        return told

    assert lost(ID, 3)["orders-0"]["lost_from"] == 3
    assert lost(ID, 105) == {}
    assert lost(ID, None) == {}
    assert lost(OTHER_ID, 3) == {}


def test_an_unclean_election_is_told_while_its_leader_recovers(now: Any, judged: Any) -> None:
    found = judged(CHECK, now("partitions", _led_by(2, [2], recovering=True)))
    assert found == {
        "orders-0": {
            "why": "unclean election",
            "leader": 2,
            "replicas": [1, 2],
            "had_them": [],
            "still_on": [],
        }
    }
    assert judged(CHECK, now("partitions", _led_by(2, [2], recovering=False))) == {}


def test_it_stays_open_for_a_day(now: Any, before: Any, judged: Any) -> None:
    def after(hours: int, status: str = "open") -> dict[str, Any]:
        since = READ_AT - timedelta(hours=hours)
        finding = {"check_id": "data-lost", "subject": "orders-0", "status": status, "first_seen_at": since}
        earlier = before("findings", finding | {"evidence": '{"lost_from":0}'})
        told: dict[str, Any] = judged(CHECK, now("partitions", _led_by(1, [1, 2])), earlier)
        return told

    assert after(23) == {"orders-0": {"lost_from": 0}}
    assert after(25) == {}
    assert after(1, "resolved") == {}
