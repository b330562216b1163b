"""What a `server.properties` tells `varve init`."""

from pathlib import Path

import pytest

from jobs.init.node import Listener, Node, node_of


def node(text: str, is_file_here: bool = False) -> Node:
    return node_of(dict(line.split("=", 1) for line in text.split()), is_file_here=is_file_here)


def test_a_broker_in_zookeeper_mode() -> None:
    found = node(
        """
        broker.id=2
        listeners=PLAINTEXT://b2:9092
        log.dirs=/var/kafka/d0,/var/kafka/d1
        zookeeper.connect=zk1:2181,zk2:2181/kafka_cluster_01
        """
    )
    assert (found.node_id, found.is_controller, found.is_here) == (2, False, False)
    assert found.listener == Listener("b2:9092", "PLAINTEXT")
    assert found.log_dirs == ("/var/kafka/d0", "/var/kafka/d1")
    assert found.zookeeper_connect == "zk1:2181,zk2:2181/kafka_cluster_01"
    assert found.controllers is None


def test_a_kraft_broker_and_a_controller_with_a_disk_for_the_metadata_log() -> None:
    broker = node("process.roles=broker\nnode.id=1\ncontroller.quorum.bootstrap.servers=c1:9093,c2:9093")
    controller = node(
        """
        process.roles=controller
        node.id=101
        listeners=CONTROLLER://c1:9093
        controller.listener.names=CONTROLLER
        controller.quorum.voters=101@c1:9093,102@c2:9093
        log.dirs=/var/kafka/d0
        metadata.log.dir=/var/kafka/metadata
        """
    )
    assert (broker.controllers, broker.is_controller) == ("c1:9093,c2:9093", False)
    assert (controller.controllers, controller.is_controller) == ("c1:9093,c2:9093", True)
    assert controller.listener is None
    assert controller.log_dirs == ("/var/kafka/d0", "/var/kafka/metadata")


@pytest.mark.parametrize(
    ("listeners", "expected"),
    [
        ("SASL_SSL://b1:9093,PLAINTEXT://b1:9092", Listener("b1:9092", "PLAINTEXT")),
        ("SASL_SSL://b1:9094,SSL://b1:9093", Listener("b1:9093", "SSL")),
        ("SASL_SSL://[fd00::1]:9093", Listener("[fd00::1]:9093", "SASL_SSL", "SCRAM-SHA-256")),
        (
            "INSIDE://10.0.0.1:9092,CONTROLLER://10.0.0.1:9093",
            Listener("10.0.0.1:9092", "SASL_PLAINTEXT", "PLAIN"),
        ),
        ("PLAINTEXT://:9092", None),
        ("PLAINTEXT://0.0.0.0:9092", None),
        ("UNKNOWN://b1:9092", None),
        ("not a listener", None),
    ],
)
def test_the_listener_that_asks_least_of_a_client_is_taken(listeners: str, expected: Listener | None) -> None:
    properties = {
        "advertised.listeners": listeners,
        "listener.security.protocol.map": "INSIDE:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT",
        "controller.listener.names": "CONTROLLER",
        "sasl.enabled.mechanisms": "GSSAPI,SCRAM-SHA-256,PLAIN",
        "listener.name.inside.sasl.enabled.mechanisms": "PLAIN",
    }
    assert node_of(properties, is_file_here=False).listener == expected


def test_a_listener_with_kerberos_alone_has_no_mechanism_that_varve_speaks() -> None:
    assert node("listeners=SASL_SSL://b1:9093").listener == Listener("b1:9093", "SASL_SSL", None)


def test_log_dirs_are_here_when_their_meta_properties_names_the_node(tmp_path: Path) -> None:
    (tmp_path / "meta.properties").write_text("version=1\nnode.id=1\ncluster.id=HDKsRbHZRvWRHpXd4mxY4g\n")
    dirs = f"log.dirs=/not/there,{tmp_path}"
    assert node(f"node.id=1\n{dirs}").is_here
    assert not node(f"node.id=2\n{dirs}", is_file_here=True).is_here
    assert not node("node.id=1\nlog.dirs=/not/there", is_file_here=True).is_here
    assert node(f"{dirs}\nlisteners=PLAINTEXT://:9092").listener == Listener("localhost:9092", "PLAINTEXT")


def test_a_generated_broker_id_is_taken_from_the_disk(tmp_path: Path) -> None:
    (tmp_path / "meta.properties").write_text("version=0\nbroker.id=1001\n")
    for configured in ("", "broker.id=-1"):
        found = node(f"{configured}\nlog.dirs={tmp_path}", is_file_here=True)
        assert (found.node_id, found.is_here) == (1001, True)


def test_authorities_are_taken_from_pem_files_only() -> None:
    found = node(
        """
        ssl.truststore.type=PEM
        ssl.truststore.location=/etc/kafka/ca.pem
        zookeeper.ssl.client.enable=true
        zookeeper.ssl.truststore.location=/etc/kafka/zookeeper.jks
        """
    )
    assert found.tls == {"ca": "/etc/kafka/ca.pem"}
    assert found.zookeeper_tls == {}
    assert node("broker.id=1").zookeeper_tls is None


def test_what_comes_from_a_config_provider_is_not_known() -> None:
    found = node(
        "broker.id=${env:ID}\nzookeeper.connect=${file:/etc/kafka/zk:connect}\nlog.dirs=data,/var/d0"
    )
    assert (found.node_id, found.zookeeper_connect, found.log_dirs) == (None, None, ("/var/d0",))
