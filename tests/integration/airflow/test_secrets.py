"""Canaries planted wherever a real cluster keeps secrets: no record of a whole run under Airflow holds one."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
import yaml
from kazoo.security import make_digest_acl

from jobs.lab.distribution import KAFKA_VERSION, kafka_jars, kafka_tool_jars
from jobs.lab.jvm import run_tool
from jobs.lab.node import Node
from jobs.lab.ports import HOST, free_port
from jobs.lab.zookeeper_mode import ZooKeeperCluster

USER = "varve"
SCRAM_LOGIN = "org.apache.kafka.common.security.scram.ScramLoginModule"
PASSWORDS = {
    "scram": "c4n4ry-of-a-scram-user",
    "config": "c4n4ry-of-a-password-config",
    "kafka": "c4n4ry-of-a-kafka-client",
    "zookeeper": "c4n4ry-of-a-zookeeper-digest",
    "static": "c4n4ry-of-a-properties-file",
    "key": "c4n4ry-of-the-fingerprint-key",
}


class GuardedCluster(ZooKeeperCluster):
    """A broker with a SASL listener beside the plain one, and the keys that passwords and tokens take."""

    def __init__(self, directory: Path) -> None:
        super().__init__(directory, brokers=1, log_dirs=1)
        self.guarded = f"{HOST}:{free_port()}"

    def _properties(self, node: Node) -> dict[str, str]:
        plain = super()._properties(node)
        login = "org.apache.kafka.common.security.plain.PlainLoginModule required"
        listener = "listener.name.sasl_plaintext"
        return plain | {
            "listeners": f"{plain['listeners']},SASL_PLAINTEXT://{self.guarded}",
            "sasl.enabled.mechanisms": "PLAIN,SCRAM-SHA-256",
            f"{listener}.plain.sasl.jaas.config": f'{login} user_{USER}="{PASSWORDS["kafka"]}";',
            f"{listener}.scram-sha-256.sasl.jaas.config": f"{SCRAM_LOGIN} required;",
            "delegation.token.secret.key": PASSWORDS["static"],
            "password.encoder.secret": PASSWORDS["static"],
        }


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GuardedCluster]:
    with GuardedCluster(tmp_path_factory.mktemp("guarded")) as cluster:
        yield cluster


@pytest.fixture(scope="module")
def canaries(cluster: GuardedCluster, tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """Every planted secret, as it was given and as Kafka keeps it."""
    scram = f"SCRAM-SHA-256=[password={PASSWORDS['scram']}]"
    _alter(cluster, "--entity-type", "users", "--entity-name", "alice", "--add-config", scram)
    files = tmp_path_factory.mktemp("client")
    login = f'{SCRAM_LOGIN} required username="x" password="{PASSWORDS["config"]}";'
    jaas = files / "jaas.properties"
    jaas.write_text(f"listener.name.sasl_plaintext.scram-sha-256.sasl.jaas.config={login}")
    _alter(cluster, "--entity-type", "brokers", "--entity-name", "1", "--add-config-file", str(jaas))
    token = _token(cluster, files)
    with cluster.client() as client:
        digest = [make_digest_acl(USER, PASSWORDS["zookeeper"], all=True)]
        client.create(
            "/config/users/bob", b'{"version":1,"config":{"producer_byte_rate":"1000"}}', acl=digest
        )
        alice = json.loads(client.get("/config/users/alice")[0])["config"]["SCRAM-SHA-256"]
        broker = json.loads(client.get("/config/brokers/1")[0])["config"]
    encoded = [part.partition("=")[2] for part in alice.split(",")[:3]]
    encrypted = [
        value.partition("encryptedPassword:")[2].partition(",")[0]
        for value in broker.values()
        if "encryptedPassword" in value
    ]
    assert len(encoded) == 3
    assert len(encrypted) == 1
    return {*PASSWORDS.values(), *encoded, *encrypted, token}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("run")


@pytest.fixture(scope="module")
def told(airflow: Any, cluster: GuardedCluster, canaries: set[str], folder: Path) -> str:
    """What the run and a look into the lake wrote to their terminals."""
    assert canaries
    entry = cluster.settings("orders")
    login = {"mechanism": "PLAIN", "user": USER, "password": "${KAFKA_PASSWORD}"}
    entry["kafka"] = {"bootstrap_servers": cluster.guarded, "auth": login}
    entry["zookeeper"]["auth"] = {"scheme": "digest", "user": USER, "password": "${ZOOKEEPER_PASSWORD}"}
    settings = {"lake": "./lake", "fingerprint_key": "${FINGERPRINT_KEY}", "clusters": [entry]}
    (folder / "varve.yaml").write_text(yaml.safe_dump(settings), encoding="utf-8")
    secrets = {
        "ZOOKEEPER_PASSWORD": PASSWORDS["zookeeper"],
        "KAFKA_PASSWORD": PASSWORDS["kafka"],
        "FINGERPRINT_KEY": PASSWORDS["key"],
    }
    airflow.env.update(secrets)
    moment = {"logical_date": datetime.now(UTC).replace(microsecond=0).isoformat()}
    (ended,) = airflow.run(folder / "varve.yaml", "varve_orders", moment)
    assert ended["state"] == "success"
    return json.dumps(ended)


def test_what_is_no_secret_is_seen(airflow: Any, told: str, folder: Path) -> None:
    assert told
    query = "SELECT path FROM znodes WHERE encoding = 'redacted' ORDER BY path"
    answer = airflow.call(
        [airflow.varve, "--config", folder / "varve.yaml", "sql", query, "--format", "json"]
    )
    paths = [row["path"] for row in json.loads(answer)]
    assert "/config/users/alice" in paths
    assert "/config/brokers/1" in paths
    assert [path for path in paths if path.startswith("/delegation_token/tokens/hmac:")]


def test_a_canary_would_be_found(
    cluster: GuardedCluster, canaries: set[str], told: str, folder: Path
) -> None:
    assert told
    assert found_in(cluster.brokers[1].files.folder, canaries)
    assert found_in(folder / "lake" / "orders", {"producer_byte_rate"})


def test_no_canary_is_in_landing_lake_or_report(told: str, canaries: set[str], folder: Path) -> None:
    assert told
    assert (folder / "report" / "orders.html").exists()
    assert {path.parts[-3] for path in folder.rglob("manifest.json")} == {"kafka", "log_dirs", "zookeeper"}
    assert found_in(folder, canaries) == []


def test_no_canary_is_in_airflow_s_logs_and_database(told: str, canaries: set[str], airflow: Any) -> None:
    assert not [canary for canary in canaries if canary in told]
    assert (airflow.home / "airflow.db").exists()
    assert found_in(airflow.home, canaries) == []


def found_in(folder: Path, canaries: set[str]) -> list[tuple[Path, str]]:
    files = [path for path in folder.rglob("*") if path.is_file()]
    return [(path, canary) for path in files for canary in canaries if canary.encode() in content(path)]


def content(path: Path) -> bytes:
    """The bytes, and of a Parquet file what they say when they are read."""
    read = repr(pq.read_table(path, partitioning=None).to_pylist()) if path.suffix == ".parquet" else ""
    return path.read_bytes() + read.encode()


def _alter(cluster: GuardedCluster, *arguments: str) -> None:
    tool = "kafka.admin.ConfigCommand"
    servers = ["--bootstrap-server", cluster.bootstrap_servers]
    run_tool(kafka_jars(KAFKA_VERSION), tool, *servers, "--alter", *arguments)


def _token(cluster: GuardedCluster, folder: Path) -> str:
    login = "org.apache.kafka.common.security.plain.PlainLoginModule required"
    properties = folder / "client.properties"
    properties.write_text(
        "security.protocol=SASL_PLAINTEXT\nsasl.mechanism=PLAIN\n"
        f'sasl.jaas.config={login} username="{USER}" password="{PASSWORDS["kafka"]}";\n'
    )
    run_tool(
        kafka_tool_jars(KAFKA_VERSION),
        "org.apache.kafka.tools.DelegationTokenCommand",
        *("--bootstrap-server", cluster.guarded, "--command-config", str(properties)),
        *("--create", "--max-life-time-period", "-1"),
    )
    with cluster.client() as client:
        (token,) = client.get_children("/delegation_token/tokens")
    return str(token)
