import json
from pathlib import Path
from typing import Any

import pytest

RECORDED = Path(__file__).parents[3] / "data/kafka"


@pytest.fixture(scope="session")
def healthy() -> dict[str, Any]:
    """What a KRaft cluster of Kafka 3.9.1 said: controller 100, brokers 1 and 2."""
    return _recorded("kraft-3.9.1/healthy.json")


@pytest.fixture(scope="session")
def broker_2_killed() -> dict[str, Any]:
    """The same cluster, 8 s after broker 2 was killed."""
    return _recorded("kraft-3.9.1/broker-2-killed.json")


@pytest.fixture(scope="session")
def zookeeper_mode() -> dict[str, Any]:
    """What a broker of Kafka 3.9.1 in ZooKeeper mode said."""
    return _recorded("zookeeper-3.9.1/one-broker.json")


def _recorded(name: str) -> dict[str, Any]:
    replies: dict[str, Any] = json.loads((RECORDED / name).read_text())
    return replies
