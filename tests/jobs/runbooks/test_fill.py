"""A runbook speaks of the cluster and of the finding it is read for."""

from pathlib import Path

import pytest

from jobs.runbooks.fill import about, addresses, filled, notes, unknown
from jobs.settings import ClusterSettings, load_settings

PAGE = "Run `kafka-topics.sh --bootstrap-server BOOTSTRAP_SERVERS --topic TOPIC`, partition PARTITION, on NODE at CHROOT/controller."


def cluster(folder: Path, sources: str) -> ClusterSettings:
    path = folder / "varve.yaml"
    path.write_text(f"lake: ./lake\nclusters:\n  - name: orders\n{sources}")
    return load_settings(path).cluster("orders")


WHOLE = """\
    zookeeper: {connect: "zk1:2181,zk2:2181/kafka_cluster_01"}
    kafka: {bootstrap_servers: "b1:9092, b2:9092", auth: {mechanism: PLAIN, user: u, password: "${P}"}}
    log_dirs:
      - {broker: 1, local: [/var/kafka/d0, /var/kafka/d1]}
      - {broker: 2, ssh: "varve@b2", paths: [/var/kafka/d0]}
"""


def test_a_cluster_tells_its_addresses_with_the_chroot(tmp_path: Path) -> None:
    orders = cluster(tmp_path, WHOLE)
    assert addresses(orders) == {
        "BOOTSTRAP_SERVERS": "b1:9092,b2:9092",
        "ZOOKEEPER_CONNECT": "zk1:2181,zk2:2181/kafka_cluster_01",
        "CHROOT": "/kafka_cluster_01",
    }
    assert notes(orders) == [
        "Kafka's tools need `--command-config FILE` with the login or TLS of this cluster.",
        "Log dirs of 1: /var/kafka/d0, /var/kafka/d1",
        "Log dirs of 2 on varve@b2: /var/kafka/d0",
    ]


def test_without_a_chroot_znodes_begin_at_the_root(tmp_path: Path) -> None:
    orders = cluster(tmp_path, '    zookeeper: {connect: "zk1:2181"}\n')
    assert filled("`CHROOT/controller`", addresses(orders)) == "`/controller`"
    assert unknown(PAGE, addresses(orders)) == ["BOOTSTRAP_SERVERS", "TOPIC", "PARTITION", "NODE"]


@pytest.mark.parametrize(
    ("subject", "known"),
    [
        ("orders-3", {"TOPIC": "orders", "PARTITION": "3"}),
        ("my-orders-10", {"TOPIC": "my-orders", "PARTITION": "10"}),
        ("orders", {"TOPIC": "orders"}),
        ("broker 2", {"NODE": "2"}),
        ("node 3001", {"NODE": "3001"}),
        ("orders-3 on broker 2", {"TOPIC": "orders", "PARTITION": "3", "NODE": "2"}),
        ("x; rm -rf /-0", {"TOPIC": "'x; rm -rf /'", "PARTITION": "0"}),
    ],
)
def test_a_subject_tells_what_the_page_leaves_open(subject: str, known: dict[str, str]) -> None:
    assert about(PAGE, subject) == known


def test_where_a_page_speaks_of_topics_alone_a_number_belongs_to_the_name() -> None:
    assert about("`--topic TOPIC`", "orders-3") == {"TOPIC": "orders-3"}


def test_only_whole_words_are_filled_in() -> None:
    known = {"TOPIC": "orders", "NODE": "3"}
    assert filled("TOPIC INCONSISTENT_TOPIC_ID TOPICS NODE", known) == "orders INCONSISTENT_TOPIC_ID TOPICS 3"
