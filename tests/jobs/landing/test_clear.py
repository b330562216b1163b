"""What landed goes when a newer snapshot is committed."""

from pathlib import Path

from jobs.lake.layout import (
    abandoned_path,
    attempt_path,
    dismissed_path,
    expectations_due_path,
    landing_folder,
    seal_path,
    writer_lock_path,
)
from jobs.landing.clear import clear_landed
from jobs.storage import open_storage

FIRST, SECOND, THIRD = "20261121T140000Z", "20261121T141000Z", "20261121T142000Z"


def test_what_is_older_than_the_commit_goes_and_everything_else_stays(tmp_path: Path) -> None:
    storage = open_storage(tmp_path)
    of_each = [
        path
        for id_ in (FIRST, SECOND, THIRD)
        for path in (f"{landing_folder('orders', 'zookeeper', id_)}/manifest.json", seal_path("orders", id_))
    ]
    marks = [abandoned_path("orders", FIRST), attempt_path("orders", FIRST, 2)]
    others = [
        expectations_due_path("orders", FIRST),
        dismissed_path("orders", "log_dirs", "/1"),
        writer_lock_path("orders"),
        f"{landing_folder('billing', 'zookeeper', FIRST)}/manifest.json",
        "orders/topics/part-0.parquet",
    ]
    for path in (*of_each, *marks, *others):
        storage.create(path, b"")
    clear_landed(storage, "orders", SECOND)
    assert set(storage.list("")) == {*of_each[2:], *others}
    assert not (tmp_path / landing_folder("orders", "zookeeper", FIRST)).exists()
