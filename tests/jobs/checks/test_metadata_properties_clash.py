from typing import Any

from jobs.checks.metadata_properties_clash import CHECK


def _log_dir(broker: int, path: str, **more: Any) -> dict[str, Any]:
    return {"broker_id": broker, "path": path, "node_id": broker, "cluster_id": "ours", **more}


def test_a_disk_of_another_cluster_or_node_or_a_copy_of_one_clashes(now: Any, judged: Any) -> None:
    log_dirs = now(
        "log_dirs",
        _log_dir(1, "/d0", cluster_id="theirs"),
        _log_dir(2, "/d0", node_id=7),
        _log_dir(2, "/d1", directory_id="same"),
        _log_dir(3, "/d0", directory_id="same"),
        _log_dir(3, "/d1", directory_id="its own"),
        _log_dir(4, "/d0"),
        _log_dir(5, "/d0", cluster_id=None),
        _log_dir(6, "/d0", cluster_id="theirs", is_current=False),
        _log_dir(8, "/d0", node_id=None, cluster_id=None),
    )
    assert judged(CHECK, log_dirs, now("cluster_id", {"cluster_id": "ours"})) == {
        "broker 1": {"clashes": ["/d0: cluster.id theirs instead of ours"]},
        "broker 2": {"clashes": ["/d0: node id 7 instead of 2", "/d1: directory.id same is in 2 log dirs"]},
        "broker 3": {"clashes": ["/d0: directory.id same is in 2 log dirs"]},
        "broker 6": "unknown",
    }


def test_where_the_cluster_did_not_say_its_id_it_cannot_clash(now: Any, judged: Any) -> None:
    assert judged(CHECK, now("log_dirs", _log_dir(1, "/d0", cluster_id="theirs"))) == {}
