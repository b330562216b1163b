from collections.abc import Callable

Broken = Callable[..., dict[str, str | None]]
ROOT = {"path": "/", "czxid": 0, "mzxid": 0, "pzxid": 9}
BROKERS = {"path": "/brokers", "czxid": 5, "mzxid": 5, "pzxid": 6}
IDS = {"path": "/brokers/ids", "czxid": 6, "mzxid": 6, "pzxid": 8}
ID = {"path": "/cluster/id", "czxid": 7, "mzxid": 7, "pzxid": 7}


def test_a_healthy_tree_breaks_nothing(broken_by: Broken) -> None:
    assert broken_by("znodes", ROOT, BROKERS, IDS, ID) == {}


def test_a_znode_is_not_modified_before_it_was_created(broken_by: Broken) -> None:
    rows = ROOT, {"path": "/a", "czxid": 8, "mzxid": 7}, {"path": "/b", "czxid": 8, "mzxid": 8}
    assert broken_by("znodes", *rows) == {"mzxid is not before czxid": "1 row, such as /a"}


def test_a_znode_has_no_child_before_it_was_created(broken_by: Broken) -> None:
    rows = ROOT, {"path": "/a", "czxid": 8, "pzxid": 7}, {"path": "/b", "czxid": 8, "pzxid": 8}
    assert broken_by("znodes", *rows) == {"pzxid is not before czxid": "1 row, such as /a"}


def test_a_path_is_absolute_and_only_the_root_ends_with_a_slash(broken_by: Broken) -> None:
    rows = ROOT, {"path": "/a/"}, {"path": "b"}, {"path": "/c/d"}
    assert broken_by("znodes", *rows) == {
        "path starts with / and does not end with it": "2 rows, such as /a/"
    }


def test_an_ephemeral_znode_has_no_children(broken_by: Broken) -> None:
    container = {"path": "/b", "ephemeral_owner": -(2**63), "num_children": 1}
    rows = {"path": "/a", "ephemeral_owner": 72057594037927937, "num_children": 1}, container, ROOT
    assert broken_by("znodes", *rows) == {"an ephemeral znode has no children": "1 row, such as /a"}


def test_data_is_as_long_as_zookeeper_counts_it_in_bytes(broken_by: Broken) -> None:
    rows = (
        {"path": "/cut", "encoding": "utf-8", "data": "é", "data_length": 3},
        {"path": "/whole", "encoding": "utf-8", "data": "é", "data_length": 2},
        {"path": "/none", "encoding": "utf-8", "data": None, "data_length": 0},
        {"path": "/secret", "encoding": "redacted", "data": "{}", "data_length": 90},
    )
    assert broken_by("znodes", *rows) == {"data has as many bytes as ZooKeeper counts": "1 row, such as /cut"}


def test_a_tree_of_kafka_has_a_cluster_id_and_broker_ids(broken_by: Broken) -> None:
    assert broken_by("znodes", ROOT, BROKERS) == {
        "/cluster/id exists in Kafka's tree": "1 missing znode",
        "/brokers/ids exists in Kafka's tree": "1 missing znode",
    }


def test_a_tree_that_is_not_kafkas_needs_neither(broken_by: Broken) -> None:
    assert broken_by("znodes", ROOT, {"path": "/hbase"}, {"path": "/brokers-old"}) == {}
