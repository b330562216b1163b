"""The `varve.yaml` that `varve init` writes: it can be loaded, and so can what is commented out in it."""

import re
from pathlib import Path

import pytest

from jobs.init import secrets, varve_yaml
from jobs.init.cluster import Cluster
from jobs.init.node import Node, node_of
from jobs.settings import ClusterSettings
from tests.jobs.varve_yaml import Load

BROKER = {
    "broker.id": "2",
    "listeners": "PLAINTEXT://b2:9092",
    "log.dirs": "/var/kafka/d0",
    "zookeeper.connect": "zk1:2181,zk2:2181/prod/Kafka.01",
}
SECURED = {
    "listeners": "SASL_SSL://b2:9093",
    "sasl.enabled.mechanisms": "SCRAM-SHA-512",
    "zookeeper.ssl.client.enable": "true",
    "zookeeper.ssl.truststore.type": "PEM",
    "zookeeper.ssl.truststore.location": "/etc/kafka/ca.pem",
    "zookeeper.ssl.truststore.password": "hunter2",
    "ssl.keystore.password": "hunter2",
    "listener.name.sasl_ssl.scram-sha-512.sasl.jaas.config": 'ScramLoginModule required password="hunter2";',
}
CONTROLLER = {"process.roles": "controller", "node.id": "101", "controller.quorum.voters": "101@c1:9093"}


def node(**properties: str) -> Node:
    return node_of(properties, is_file_here=False)


def sources(cluster: ClusterSettings) -> dict[str, object]:
    return {name: source.model_dump(exclude_defaults=True) for name, source in cluster.sources.items()}


def test_a_broker_in_zookeeper_mode(load: Load) -> None:
    settings = load(varve_yaml([Cluster((node(**BROKER),))]))
    (cluster,) = settings.clusters
    assert (cluster.name, settings.lake.name) == ("kafka-01", "lake")
    assert sources(cluster) == {
        "zookeeper": {"connect": "zk1:2181,zk2:2181/prod/Kafka.01"},
        "kafka": {"bootstrap_servers": "b2:9092"},
    }


def test_a_secured_broker_needs_secrets_by_name_and_gives_none_away(load: Load) -> None:
    text = varve_yaml([Cluster((node(**BROKER | SECURED),))], "orders")
    (cluster,) = load(text).clusters
    assert cluster.name == "orders"
    assert sources(cluster) == {
        "zookeeper": {"connect": "zk1:2181,zk2:2181/prod/Kafka.01", "tls": {"ca": Path("/etc/kafka/ca.pem")}},
        "kafka": {
            "bootstrap_servers": "b2:9093",
            "auth": {"mechanism": "SCRAM-SHA-512", "user": "varve", "password": "${KAFKA_PASSWORD}"},
            "tls": {},
        },
    }
    assert secrets(text) == ["KAFKA_PASSWORD"]
    assert "hunter2" not in text


def test_controllers_alone_are_asked_for_the_quorum(load: Load) -> None:
    (cluster,) = load(varve_yaml([Cluster((node(**CONTROLLER),))])).clusters
    assert cluster.name == "kafka"
    assert sources(cluster) == {"kafka": {"bootstrap_controllers": "c1:9093"}}


def test_log_dirs_of_this_machine_are_set_and_those_of_others_are_offered(load: Load, tmp_path: Path) -> None:
    (tmp_path / "meta.properties").write_text("version=0\nbroker.id=1\n")
    here = node(**{"broker.id": "1", "listeners": "PLAINTEXT://b1:9092", "log.dirs": str(tmp_path)})
    text = varve_yaml([Cluster((here, node(**BROKER)))])
    (cluster,) = load(text).clusters
    assert sources(cluster)["log_dirs"] == {"brokers": [{"broker": 1, "local": [tmp_path]}]}
    assert '    #   - {broker: 2, ssh: "varve@b2", paths: ["/var/kafka/d0"]}' in text


def test_a_client_needs_no_more_than_three_brokers(load: Load) -> None:
    brokers = [node(**{"broker.id": str(n), "listeners": f"PLAINTEXT://b{n}:9092"}) for n in range(9)]
    (cluster,) = load(varve_yaml([Cluster(tuple(brokers))])).clusters
    assert sources(cluster) == {"kafka": {"bootstrap_servers": "b0:9092,b1:9092,b2:9092"}}


def test_every_cluster_has_a_name_of_its_own(load: Load) -> None:
    two = [Cluster((node(**BROKER),)), Cluster((node(**BROKER),)), Cluster((node(**CONTROLLER),))]
    assert [cluster.name for cluster in load(varve_yaml(two)).clusters] == ["kafka-01", "kafka-01-2", "kafka"]


@pytest.mark.parametrize("name", ["on", "123", "2026-11-21"])
def test_a_name_that_yaml_takes_for_something_else_stays_a_name(load: Load, name: str) -> None:
    assert [cluster.name for cluster in load(varve_yaml([], name)).clusters] == [name]


def test_without_any_cluster_the_place_for_the_servers_is_marked(load: Load) -> None:
    text = varve_yaml([])
    assert sources(load(text).clusters[0]) == {"kafka": {"bootstrap_servers": "localhost:9092"}}
    assert "  # no broker was found: write some of yours here" in text


@pytest.mark.parametrize("nodes", [(), (node(**BROKER),), (node(**BROKER | SECURED),), (node(**CONTROLLER),)])
def test_everything_that_is_commented_out_can_be_set(load: Load, nodes: tuple[Node, ...]) -> None:
    everything = re.sub(r"^(\s*)# (?= *(?:\w+:|- ))", r"\1", varve_yaml([Cluster(nodes)]), flags=re.MULTILINE)
    settings = load(everything.replace("lake: ./lake", "lake: s3://kafka-varve/prod"))
    (cluster,) = settings.clusters
    assert settings.fingerprint_key == "${VARVE_FINGERPRINT_KEY}"
    assert (settings.history.keep_days, settings.history.series_days) == (730, 14)
    assert settings.storage.model_fields_set == {"endpoint", "access_key", "secret_key"}
    assert settings.spark.model_dump(exclude_unset=True) == {
        "master": "spark://spark:7077",
        "conf": {"spark.executor.memory": "4g"},
    }
    assert sorted(cluster.sources) == ["kafka", "log_dirs", "zookeeper"]
    for name in ("zookeeper", "kafka"):
        assert {"auth", "tls", "timeout_s"} <= cluster.sources[name].model_fields_set
    assert "bootstrap_controllers" in cluster.sources["kafka"].model_fields_set


def test_names_that_somebody_else_chose_stay_text(load: Load) -> None:
    hostile = 'zk1:2181/a"}, lake: [x # y'
    (cluster,) = load(varve_yaml([Cluster((node(**BROKER | {"zookeeper.connect": hostile}),))])).clusters
    assert sources(cluster)["zookeeper"] == {"connect": hostile}
