"""What landed of one cluster must not become the history of another."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from jobs.errors import SnapshotRefusedError
from jobs.lake.layout import landing_folder
from jobs.landing.landing import Landing
from jobs.landing.manifest import Manifest
from jobs.landing.same_cluster import check_same_cluster
from jobs.secrets import Redactor
from jobs.storage import Storage
from schemas.registry import tables
from schemas.snapshots import SourceStatus

FIRST, SECOND = "20261121T140000Z", "20261121T141000Z"
AT = datetime(2026, 11, 21, 14, 10, tzinfo=UTC)
OURS, ANOTHER = "znkgOM6BTcupdjPAxhvoEw", "7a4WN04ORRCS7XRw8eKNyg"

Land = Callable[..., Manifest]


@pytest.fixture
def land(lake: Any) -> Land:
    """`land(source, table, row)` lands one row as part of the second snapshot; columns that are not given are null."""

    def landed(source: str, table: str, row: dict[str, object]) -> Manifest:
        folder = lake.storage.inside(landing_folder(lake.cluster, source, SECOND))
        landing = Landing(folder, source, Redactor(None))
        landing.rows(table, [tuple(row.get(name) for name in tables()[table].column_names)])
        landing.flush()
        return Manifest(
            lake.cluster,
            source,
            SECOND,
            SourceStatus.COMPLETE,
            AT,
            AT,
            landing.counts,
            landing.files,
            (),
            "0.1.0",
        )

    return landed


@pytest.fixture
def ours(lake: Any) -> Storage:
    """A lake whose cluster has told its id."""
    lake.change("cluster_id", FIRST, "keyframe", FIRST, cluster_id=OURS)
    lake.commit(FIRST)
    storage: Storage = lake.storage
    return storage


def log_dir(cluster_id: str | None) -> dict[str, object]:
    return {"broker_id": 1, "path": "/var/kafka/d0", "cluster_id": cluster_id}


def znode(data: str) -> dict[str, object]:
    moved = dict.fromkeys(
        ("czxid", "mzxid", "pzxid", "version", "cversion", "aversion", "ephemeral_owner"), 0
    )
    size = {"encoding": "utf-8", "data_length": len(data), "num_children": 0}
    return {"path": "/cluster/id", "data": data, "ctime": AT, "mtime": AT, **moved, **size}


def test_log_dirs_of_another_cluster_are_refused(ours: Storage, land: Land) -> None:
    manifest = land("log_dirs", "log_dirs", log_dir(ANOTHER))
    with pytest.raises(SnapshotRefusedError) as refused:
        check_same_cluster(ours, "orders", [manifest])
    assert str(refused.value) == (
        f"What landed is of the cluster with the id {ANOTHER}, and orders has the id {OURS}: see whether its addresses in "
        "varve.yaml, or --cluster of an import, name another; a cluster that was made anew needs a new name there"
    )


def test_a_tree_of_another_cluster_is_refused(ours: Storage, land: Land) -> None:
    manifest = land("zookeeper", "znodes", znode(f'{{"version":"1","id":"{ANOTHER}"}}'))
    with pytest.raises(SnapshotRefusedError, match=f"the cluster with the id {ANOTHER}"):
        check_same_cluster(ours, "orders", [manifest])


def test_a_disk_of_another_cluster_beside_our_own_tree_is_taken(ours: Storage, land: Land) -> None:
    manifests = [
        land("log_dirs", "log_dirs", log_dir(ANOTHER)),
        land("zookeeper", "znodes", znode(f'{{"version":"1","id":"{OURS}"}}')),
    ]
    check_same_cluster(ours, "orders", manifests)
    assert list(ours.list(landing_folder("orders", "log_dirs", SECOND)))


@pytest.mark.parametrize("data", ["", "no json", "[]", '{"version":"1"}'])
def test_what_tells_no_id_is_taken(ours: Storage, land: Land, data: str) -> None:
    manifests = [land("log_dirs", "log_dirs", log_dir(None)), land("zookeeper", "znodes", znode(data))]
    check_same_cluster(ours, "orders", manifests)


def test_the_first_snapshot_of_a_cluster_is_taken(lake: Any, land: Land) -> None:
    check_same_cluster(lake.storage, "orders", [land("log_dirs", "log_dirs", log_dir(ANOTHER))])


def test_a_lake_that_has_heard_of_no_id_takes_all(lake: Any, land: Land) -> None:
    lake.commit(FIRST)
    check_same_cluster(lake.storage, "orders", [land("log_dirs", "log_dirs", log_dir(ANOTHER))])
