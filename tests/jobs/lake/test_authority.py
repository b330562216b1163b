"""Who is believed where a cluster is read from both sides (KIP-866)."""

import pytest

from jobs.lake.authority import authority, source_of
from schemas.cluster import MIGRATION
from schemas.entities import TOPICS
from schemas.zookeeper import ZNODES

BOTH = ("zookeeper", "kafka", "log_dirs")
RULED_BY_ZOOKEEPER = '{"version":2,"brokerid":3,"timestamp":"1763690400000","kraftControllerEpoch":-1}'
RULED_BY_KRAFT = '{"version":2,"brokerid":3000,"timestamp":"1763690400000","kraftControllerEpoch":4}'


def test_zookeeper_is_followed_while_its_own_controller_rules() -> None:
    assert authority(BOTH, RULED_BY_ZOOKEEPER) == "zookeeper"
    assert authority(BOTH, '{"version":1,"brokerid":3,"timestamp":"1763690400000"}') == "zookeeper"
    assert authority(BOTH, None) == "zookeeper"


def test_the_kafka_api_is_followed_once_a_kraft_controller_rules() -> None:
    assert authority(BOTH, RULED_BY_KRAFT) == "kafka"
    assert authority(BOTH, RULED_BY_KRAFT.replace(":4}", ":0}")) == "kafka"


def test_a_lone_source_is_followed_whoever_rules() -> None:
    assert authority(("zookeeper",), RULED_BY_KRAFT) == "zookeeper"
    assert authority(("kafka", "log_dirs"), None) == "kafka"


def test_disks_alone_say_nothing_of_the_cluster() -> None:
    assert authority(("log_dirs",), None) == ""


@pytest.mark.parametrize(
    "garbage",
    [
        "",
        "garbage",
        "7",
        '"kraftControllerEpoch"',
        "[4]",
        "null",
        '{"kraftControllerEpoch":"4"}',
        "[" * 100_000,
    ],
    ids=lambda text: text[:24],
)
def test_a_malformed_controller_znode_moves_no_authority(garbage: str) -> None:
    assert authority(BOTH, garbage) == "zookeeper"


def test_a_table_follows_its_own_source_then_the_one_with_authority_then_the_only_one_it_has() -> None:
    assert source_of(ZNODES, "kafka") == "zookeeper"
    assert source_of(TOPICS, "kafka") == "kafka"
    assert source_of(MIGRATION, "kafka") == "zookeeper"
    assert source_of(TOPICS, "") == ""
