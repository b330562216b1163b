"""Brokers that go by different settings."""

from jobs.lab.zookeeper_mode import ZooKeeperCluster
from tests.integration.checks_disk.disks import Disks

KEY = "min.insync.replicas"
OF_BROKER_2 = ("--entity-type", "brokers", "--entity-name", "2", "--alter")


def test_a_value_that_was_set_for_one_broker_is_told_and_removed(disks: Disks) -> None:
    disks.tool("kafka-configs.sh", *OF_BROKER_2, "--add-config", f"{KEY}=2")
    found = disks.findings()
    others = ["3: 1"] if isinstance(disks.cluster, ZooKeeperCluster) else []
    assert found == {
        ("brokers-disagree", KEY): {"severity": "info", "brokers": ["1: 1", "2: 2", *others], **times(found)}
    }
    told = disks.printed("brokers-disagree", "FROM broker_settings", subject=KEY)
    assert "DYNAMIC_BROKER_CONFIG" in told
    disks.printed("brokers-disagree", "--delete-config", {"NODE": "2", "KEY": KEY})
    disks.is_whole("orders")


def times(found: dict[tuple[str, str], dict[str, object]]) -> dict[str, object]:
    return {"last_changed_at": found["brokers-disagree", KEY]["last_changed_at"]}
