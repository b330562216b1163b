from collections.abc import Callable
from typing import Any

Row = dict[str, Any]
Broken = Callable[..., dict[str, str | None]]


def directory(broker: int, path: str, name: str = "orders-0", kind: str = "current", **columns: Any) -> Row:
    place = {"broker_id": broker, "path": path, "dir_name": name, "kind": kind}
    return {**place, "topic": "orders", "partition": 0, **columns}


def epochs(*lines: tuple[int, int]) -> list[Row]:
    return [{"epoch": epoch, "start_offset": offset} for epoch, offset in lines]


def test_a_broker_has_one_current_directory_for_a_partition(broken_by: Broken) -> None:
    rows = directory(1, "/d0"), directory(1, "/d1"), directory(2, "/d0")
    assert broken_by("disk_replicas", *rows) == {
        "a broker has one current directory for a partition": "1 duplicate"
    }


def test_a_replica_that_moves_between_log_dirs_is_not_there_twice(broken_by: Broken) -> None:
    future = directory(1, "/d1", "orders-0.0a1b-future", "future")
    assert broken_by("disk_replicas", directory(1, "/d0"), future, directory(2, "/d0")) == {}


def test_directories_whose_name_says_no_partition_are_not_the_same(broken_by: Broken) -> None:
    rows = (directory(1, "/d0", name, topic=None, partition=None) for name in ("lost+found", "backup"))
    assert broken_by("disk_replicas", *rows) == {}


def test_a_topic_id_on_disk_is_absent_or_22_characters(broken_by: Broken) -> None:
    rows = (
        directory(1, "/d0", topic_id="dG9waWNzLWlkLTEyMzQ1Ng"),
        directory(2, "/d0", topic_id=None),
        directory(3, "/d0", topic_id="short"),
    )
    assert broken_by("disk_replicas", *rows) == {
        "topic_id is 22 characters when present": "1 row, such as 3, /d0, orders-0"
    }


def test_leader_epochs_rise_and_their_offsets_do_not_fall(broken_by: Broken) -> None:
    rows = (
        directory(1, "/d0", leader_epochs=epochs((0, 0), (2, 7), (5, 7))),
        directory(2, "/d0", leader_epochs=epochs((0, 0), (2, 7), (2, 9))),
        directory(3, "/d0", leader_epochs=epochs((0, 9), (1, 7))),
    )
    assert broken_by("disk_replicas", *rows) == {
        "leader epochs rise": "1 row, such as 2, /d0, orders-0",
        "start offsets of leader epochs do not fall": "1 row, such as 3, /d0, orders-0",
    }


def test_a_fresh_replica_has_no_leader_epochs(broken_by: Broken) -> None:
    rows = directory(1, "/d0", leader_epochs=[]), directory(2, "/d0", leader_epochs=None)
    assert broken_by("disk_replicas", *rows) == {}
