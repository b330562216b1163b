from collections.abc import Callable
from typing import Any

Row = dict[str, Any]
Broken = Callable[..., dict[str, str | None]]


def log_dir(
    broker: int, path: str, cluster: str = "wLz", directory: str | None = None, node: int | None = None
) -> Row:
    identity = {"cluster_id": cluster, "directory_id": directory, "node_id": broker if node is None else node}
    return {"broker_id": broker, "path": path, **identity}


def test_all_log_dirs_are_of_one_cluster(broken_by: Broken) -> None:
    rows = log_dir(1, "/d0"), log_dir(1, "/d1", cluster="qXy"), log_dir(2, "/d0")
    assert broken_by("log_dirs", *rows) == {"all log dirs agree on the cluster id": "1 surplus cluster id"}


def test_a_log_dir_without_meta_properties_contradicts_no_other(broken_by: Broken) -> None:
    unformatted = {"broker_id": 1, "path": "/d1"}
    assert broken_by("log_dirs", log_dir(1, "/d0"), unformatted, log_dir(2, "/d0")) == {}


def test_a_copied_log_dir_is_seen_by_its_directory_id(broken_by: Broken) -> None:
    rows = (
        log_dir(1, "/d0", directory="A"),
        log_dir(1, "/d1", directory="B"),
        log_dir(2, "/d0", directory="A"),
    )
    assert broken_by("log_dirs", *rows) == {"no two log dirs have the same directory_id": "1 duplicate"}


def test_log_dirs_from_before_kafka_3_7_have_no_directory_ids_to_clash(broken_by: Broken) -> None:
    assert broken_by("log_dirs", log_dir(1, "/d0"), log_dir(1, "/d1"), log_dir(2, "/d0")) == {}


def test_a_log_dir_belongs_to_the_broker_it_is_configured_for(broken_by: Broken) -> None:
    rows = log_dir(1, "/d0", node=2), log_dir(2, "/d0"), {"broker_id": 3, "path": "/d0"}
    assert broken_by("log_dirs", *rows) == {"node_id is the broker's in varve.yaml": "1 row, such as 1, /d0"}
