"""A cluster of Kafka 3.9.1 migrates from ZooKeeper to KRaft: what the gate and the comparison of both sides say on the way."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from jobs.lab.jvm import wait_until
from jobs.lab.migrating_mode import MigratingCluster
from jobs.lab.topics import create_topic, produce
from tests.integration.watched import Watched

DRIFT = "migration-drift"
CONFIG, AUDIT = "/config/topics/orders", "/brokers/topics/audit"
STATE = f"{AUDIT}/partitions/0/state"


class Migration:
    """The cluster, watched, and its znodes."""

    def __init__(self, watched: Watched[MigratingCluster]) -> None:
        self.watched, self.cluster = watched, watched.cluster

    def look(self, **kafka: Any) -> dict[str, tuple[str, dict[str, Any]]]:
        """What differs between both sides after a snapshot."""
        self.watched.look(**kafka)
        return self.watched.found(DRIFT)

    def gate(self) -> list[str]:
        """What `varve gate migrate` says."""
        told = self.watched.shell("varve gate migrate --cluster lab")
        return told.stdout.splitlines()

    def put(self, path: str, **fields: Any) -> None:
        """Change fields of a znode by hand; one that is None goes."""
        with self.cluster.client() as client:
            document = json.loads(client.get(path)[0]) | fields
            there = {name: value for name, value in document.items() if value is not None}
            client.set(path, json.dumps(there).encode())

    def get(self, path: str) -> Any:
        with self.cluster.client() as client:
            return json.loads(client.get(path)[0]) if client.exists(path) else None


@pytest.fixture
def migration(tmp_path: Path, watch: Any) -> Iterator[Migration]:
    with MigratingCluster(tmp_path / "cluster", brokers=2) as cluster:
        create_topic(cluster.bootstrap_servers, "orders", [[1, 2], [2, 1]], {"retention.ms": "60000"})
        create_topic(
            cluster.bootstrap_servers, "audit", [[1, 2], [2, 1]], {"cleanup.policy": "compact, delete"}
        )
        produce(cluster.bootstrap_servers, "orders")
        yield Migration(watch(cluster, tmp_path))


def set_entities(watched: Watched[MigratingCluster]) -> None:
    """Of each kind of entity something that is set."""
    for entity, setting in (
        ("--entity-type users --entity-name al,ice", "SCRAM-SHA-256=[password=secret]"),
        ("--entity-type users --entity-default --entity-type clients --entity-name app", "producer_byte_rate=1024"),
        ("--entity-type brokers --entity-default", "log.cleaner.backoff.ms=10001"),
        ("--entity-type brokers --entity-name 1", "log.cleaner.threads=2"),
    ):  # fmt: skip
        watched.tool("kafka-configs.sh", "--alter", *entity.split(), "--add-config", setting)


def test_a_migration_from_its_preflight_to_its_end(migration: Migration) -> None:
    watched, cluster = migration.watched, migration.cluster
    told: dict[str, Any] = {}
    set_entities(watched)

    topic_id = migration.get(AUDIT)["topic_id"]
    migration.put(AUDIT, topic_id=None)
    watched.look()
    told["gate, a topic without an id"] = migration.gate()
    migration.put(AUDIT, topic_id=topic_id)
    told["before"], told["gate before"] = migration.look(), migration.gate()

    cluster.start_controllers()
    cluster.let_brokers_migrate()
    told["quorum not named"] = migration.look(bootstrap_controllers=None)
    told["gate, quorum not named"] = migration.gate()
    told["controller, quorum not named"] = watched.ask("SELECT controller_id FROM controllers")
    told["brokers migrate"], told["brokers still migrate"] = migration.look(), migration.look()
    told["gate while brokers migrate"] = migration.gate()

    cluster.take_brokers_to_kraft()
    told["KRaft brokers"], told["KRaft brokers still"] = migration.look(), migration.look()

    migration.put(CONFIG, config={"retention.ms": "120000"})
    migration.put(STATE, leader=2)
    with cluster.client() as client:
        client.create("/brokers/topics/ghost", client.get(AUDIT)[0])
    told["written by hand"], told["still there"] = migration.look(), migration.look()

    told["zookeeper-shell"] = watched.printed(DRIFT, "get /config/topics/TOPIC", subject="orders")
    told["kafka-configs"] = watched.printed(DRIFT, "--describe --entity-type topics", subject="orders")
    told["quorum"] = watched.printed(DRIFT, "describe --status")
    value = {"NAME=VALUE": "retention.ms=120000"}
    watched.printed(DRIFT, "--add-config NAME=VALUE", value, subject="orders")
    told["set through Kafka"] = migration.look()

    cluster.restart_controller(101)
    wait_until("ZooKeeper to be as KRaft", lambda: migration.get(STATE)["leader"] == 1, [], 60)
    told["after the sync"] = migration.look()

    cluster.finish()
    create_topic(cluster.bootstrap_servers, "later", [[1, 2]])
    told["finished"], told["finished since"] = migration.look(), migration.look()
    told["gate at the end"] = migration.gate()
    ghost = {"ghost": differs("topic_id", topic_id, None, "/brokers/topics/ghost")}
    differing = {**ghost, "audit-0": differs("leader", "2", "1", STATE)}
    assert told["before"] == told["quorum not named"] == {}
    assert told["brokers migrate"] == told["brokers still migrate"] == told["KRaft brokers"] == {}
    assert told["KRaft brokers still"] == told["written by hand"] == {}
    assert told["still there"] == {
        **differing,
        "orders": differs("retention.ms", "120000", "60000", CONFIG),
    }
    assert told["set through Kafka"] == differing
    # This topic has the id of another one, and stays.
    assert (
        told["after the sync"] == told["finished"] == told["finished since"] == watched.found(DRIFT) == ghost
    )
    assert '"retention.ms":"120000"' in told["zookeeper-shell"].replace(" ", "")
    assert "retention.ms=60000" in told["kafka-configs"]
    assert "LeaderId:               101" in told["quorum"]
    assert told["controller, quorum not named"] == [(None,)]
    assert (
        "  without a topic id, on which the migration ends: 1 topic (audit)"
        in told["gate, a topic without an id"]
    )
    assert told["gate before"] == ["migrate of lab: safe now"]
    assert told["gate, quorum not named"][0] == "migrate of lab: not safe now"
    assert "  node 101, a KRaft controller, is in control already" in told["gate, quorum not named"]
    assert "  KRaft is in control already" in told["gate while brokers migrate"]
    assert "  KRaft is in control already" in told["gate at the end"]


def differs(what: str, zookeeper: str | None, kafka: str | None, znode: str) -> tuple[str, dict[str, Any]]:
    """The finding of one difference."""
    return "warning", {
        "differences": [{"what": what, "zookeeper": zookeeper, "kafka": kafka, "znode": znode}]
    }
