"""Brokers that go by different settings, set while they run or in their properties files."""

import pytest

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


@pytest.mark.parametrize("disks", ["kraft"], indirect=True)
def test_a_line_in_one_properties_file_is_told_and_made_the_same_again(disks: Disks) -> None:
    properties = disks.cluster.brokers[2].files.properties
    kept = properties.read_text()
    disks.cluster.stop_broker(2)
    properties.write_text(f"{kept}{KEY}=2\n")
    disks.back(2)
    found = disks.findings()
    assert found == {
        ("brokers-disagree", KEY): {"severity": "info", "brokers": ["1: 1", "2: 2"], **times(found)}
    }
    assert "STATIC_BROKER_CONFIG" in disks.printed("brokers-disagree", "FROM broker_settings", subject=KEY)
    gate = disks.run("brokers-disagree", "varve gate roll")
    assert "broker 2: 1 partition would go offline" in gate.stdout, "it has the only copy of one"
    properties.write_text(kept)
    disks.cluster.stop_broker(2)
    disks.back(2)
    disks.is_whole("orders")


def times(found: dict[tuple[str, str], dict[str, object]]) -> dict[str, object]:
    return {"last_changed_at": found["brokers-disagree", KEY]["last_changed_at"]}
