"""The tree of a real ZooKeeper, read and landed."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from kazoo.client import KazooClient
from kazoo.security import make_digest_acl

from jobs.errors import NotReadError
from jobs.sources.zookeeper.probe import probe
from jobs.sources.zookeeper.settings import Settings

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def make_tree(client: KazooClient, chroot: str) -> None:
    client.create(f"{chroot}/brokers/ids/1", b'{"host":"b1"}', ephemeral=True, makepath=True)
    client.create(f"{chroot}/brokers/ids/2", b"", ephemeral=True)
    client.create(f"{chroot}/brokers/topics/orders/partitions/0/state", b'{"leader":1}', makepath=True)
    client.set(f"{chroot}/brokers/topics/orders/partitions/0/state", b'{"leader":2}')
    client.create(f"{chroot}/raw", b"\xff\xfe\x00")
    client.create(f"{chroot}/Gewässer<script>", "trübe".encode())
    for number in range(250):
        client.create(f"{chroot}/many/{number}", b"x" * number, makepath=True)
    client.delete(f"{chroot}/many/13")


def expected_rows(
    client: KazooClient, chroot: str, path: str = "/"
) -> dict[str, tuple[bytes | None, dict[str, Any]]]:
    """The rows as kazoo's own get and get_children tell them."""
    real = chroot if path == "/" else chroot + path
    data, stat = client.get(real)
    row = {
        "czxid": stat.czxid,
        "mzxid": stat.mzxid,
        "pzxid": stat.pzxid,
        "ctime": EPOCH + timedelta(milliseconds=stat.ctime),
        "mtime": EPOCH + timedelta(milliseconds=stat.mtime),
        "version": stat.version,
        "cversion": stat.cversion,
        "aversion": stat.aversion,
        "ephemeral_owner": stat.ephemeralOwner,
        "data_length": stat.dataLength,
        "num_children": stat.numChildren,
    }
    rows = {path: (data, row)}
    for child in client.get_children(real):
        rows |= expected_rows(client, chroot, f"{path.rstrip('/')}/{child}")
    return rows


def without_data(row: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name not in ("path", "data", "encoding")}


@pytest.mark.parametrize("generation", ["zookeeper", "old_zookeeper"])
def test_lands_the_whole_tree_with_exact_stats_from_new_and_old_servers(
    request: pytest.FixtureRequest, collected: Callable[..., Any], generation: str
) -> None:
    server = request.getfixturevalue(generation)
    client = request.getfixturevalue("client" if generation == "zookeeper" else "old_client")
    make_tree(client, "/whole")

    landed = collected(f"{server.connect}/whole")

    expected = expected_rows(client, "/whole")
    assert len(expected) == 262
    assert {path: without_data(row) for path, row in landed.rows.items()} == {
        path: row for path, (_, row) in expected.items()
    }
    assert landed.gaps == set()
    assert landed.landing.unsettled == 0
    assert landed.landing.zxid >= max(row["mzxid"] for row in landed.rows.values())


def test_data_is_text_or_base64_or_null(
    zookeeper: Any, client: KazooClient, collected: Callable[..., Any]
) -> None:
    client.create("/data", makepath=True)
    client.create("/data/text", "trübe".encode())
    client.create("/data/bytes", b"\xff\xfe\x00")
    client.create("/data/empty", b"")
    client.set("/data", None)

    rows = collected(f"{zookeeper.connect}/data").rows

    assert (rows["/text"]["data"], rows["/text"]["encoding"]) == ("trübe", "utf-8")
    assert (rows["/bytes"]["data"], rows["/bytes"]["encoding"]) == ("//4A", "base64")
    assert (rows["/empty"]["data"], rows["/empty"]["encoding"]) == ("", "utf-8")
    assert (rows["/"]["data"], rows["/"]["encoding"]) == (None, "utf-8")


def test_a_cluster_without_a_chroot_is_read_from_the_root(
    zookeeper: Any, client: KazooClient, collected: Callable[..., Any]
) -> None:
    client.create("/controller_epoch", b"1")
    client.create("/brokers", b"")

    rows = collected(zookeeper.connect).rows

    assert rows["/controller_epoch"]["data"] == "1"
    assert "/" in rows


@pytest.mark.parametrize("generation", ["zookeeper", "old_zookeeper"])
def test_a_subtree_without_rights_is_a_gap_and_its_neighbours_are_read(
    request: pytest.FixtureRequest, collected: Callable[..., Any], generation: str
) -> None:
    server = request.getfixturevalue(generation)
    client = request.getfixturevalue("client" if generation == "zookeeper" else "old_client")
    client.add_auth("digest", "kafka:secret")
    closed = [make_digest_acl("kafka", "secret", all=True)]
    client.create("/acl/config", makepath=True)
    client.create("/acl/alone")
    client.create("/acl/config/users", b"", acl=closed)
    client.create("/acl/config/users/alice", b"", acl=closed)
    client.create("/acl/alone/closed", b"", acl=closed)

    landed = collected(f"{server.connect}/acl")

    assert landed.gaps == {("/config/users", "unauthorized"), ("/alone/closed", "unauthorized")}
    assert set(landed.rows) == {"/", "/config", "/alone"}
    assert "READ right on /config/users" in " ".join(gap.message for gap in landed.landing.gaps)


def test_what_is_outside_the_configured_subtrees_is_a_gap(
    zookeeper: Any, client: KazooClient, collected: Callable[..., Any]
) -> None:
    client.create("/part/brokers/topics/orders", b"{}", makepath=True)
    client.create("/part/config/topics/orders", b"{}", makepath=True)
    client.create("/part/config/users/alice", b"{}", makepath=True)
    client.create("/part/admin", b"")

    landed = collected(f"{zookeeper.connect}/part", subtrees=["/brokers", "/config/topics"])

    assert landed.gaps == {("/admin", "not-collected"), ("/config/users", "not-collected")}
    assert set(landed.rows) == {
        "/",
        "/brokers",
        "/brokers/topics",
        "/brokers/topics/orders",
        "/config",
        "/config/topics",
        "/config/topics/orders",
    }


def test_a_chroot_without_rights_is_an_unavailable_source(
    zookeeper: Any, client: KazooClient, collected: Callable[..., Any]
) -> None:
    client.add_auth("digest", "kafka:secret")
    client.create("/closed", b"", acl=[make_digest_acl("kafka", "secret", all=True)])

    with pytest.raises(NotReadError, match="READ right") as caught:
        collected(f"{zookeeper.connect}/closed")

    assert caught.value.reason == "unauthorized"


def test_a_missing_chroot_is_an_unavailable_source_and_says_what_to_compare(
    zookeeper: Any, collected: Callable[..., Any]
) -> None:
    with pytest.raises(NotReadError, match=r"no /kafka_cluster_07 .*zookeeper\.connect") as caught:
        collected(f"{zookeeper.connect}/kafka_cluster_07")

    assert caught.value.reason == "missing"


def test_a_chroot_left_out_is_an_unavailable_source_and_names_the_clusters_below(
    zookeeper: Any, client: KazooClient, collected: Callable[..., Any]
) -> None:
    client.create("/above/kafka_cluster_01/brokers/ids", makepath=True)

    with pytest.raises(
        NotReadError, match=r"no Kafka cluster at /above .* but at /above/kafka_cluster_01: compare"
    ) as caught:
        collected(f"{zookeeper.connect}/above")

    assert caught.value.reason == "missing"


def test_doctor_hears_what_can_be_read_and_what_cannot(zookeeper: Any, client: KazooClient) -> None:
    client.add_auth("digest", "kafka:secret")
    closed = [make_digest_acl("kafka", "secret", all=True)]
    client.create("/doctor/config", makepath=True)
    client.create("/doctor/config/users", b"", acl=closed)
    client.create("/doctor/config/brokers", b"")
    client.create("/doctor/brokers", b"")

    found = {answer.what: answer.ok for answer in probe(Settings(connect=f"{zookeeper.connect}/doctor"))}

    assert found == {
        f"ZooKeeper {zookeeper.connect}": True,
        "znode /doctor": True,
        "znode /doctor/brokers": True,
        "znode /doctor/config/users": False,
        "znode /doctor/config/brokers": True,
    }


def test_doctor_hears_that_there_is_no_kafka_where_the_chroot_was_left_out(
    zookeeper: Any, client: KazooClient
) -> None:
    client.create("/over/kafka_cluster_01/brokers", makepath=True)

    found = {answer.what: answer.ok for answer in probe(Settings(connect=f"{zookeeper.connect}/over"))}

    assert found == {
        f"ZooKeeper {zookeeper.connect}": True,
        "znode /over": True,
        "znode /over/brokers": False,
    }


def test_doctor_hears_of_a_subtree_that_is_not_there(zookeeper: Any, client: KazooClient) -> None:
    client.create("/doctored/brokers", makepath=True)

    settings = Settings(connect=f"{zookeeper.connect}/doctored", subtrees=["/brokers", "/broker"])

    assert {answer.what: answer.ok for answer in probe(settings)} == {
        f"ZooKeeper {zookeeper.connect}": True,
        "znode /doctored": True,
        "znode /doctored/brokers": True,
        "znode /doctored/broker": False,
    }
