"""Replicas are added by a reassignment: no record is lost, also where a precondition does not hold."""

import pytest

from jobs.lab.jvm import wait_until
from jobs.lab.topics import create_topic, produce
from tests.integration.pages.followed import Followed

CHECK = "standing-risk"


@pytest.fixture(scope="module")
def single(followed: Followed) -> Followed:
    """Topic single has one replica and ten records."""
    create_topic(followed.living, "single", [[1]])
    produce(followed.living, "single", 10)
    return followed


def test_while_a_broker_is_down_that_is_to_get_a_replica_nothing_is_changed(single: Followed) -> None:
    single.cluster.stop_broker(2)
    refused = single.run(CHECK, "--execute", {"FILE": str(single.assignment("single", [1, 2]))})
    assert refused.returncode == 1
    assert "Unknown broker id 2" in refused.stdout
    assert (single.told("single")["replica_nodes"], single.records("single")) == ([1], 10)
    single.cluster.start_broker(2)
    single.cluster.wait_until_in_sync()


def test_a_replica_is_added_and_leads_with_every_record_when_the_first_is_gone(single: Followed) -> None:
    file = {"FILE": str(single.assignment("single", [1, 2]))}
    single.printed(CHECK, "--execute", file)

    def is_complete() -> bool:
        return "Reassignment of partition single-0 is completed." in single.printed(CHECK, "--verify", file)

    wait_until("the reassignment", is_complete, [], 60)
    assert "Isr: 1,2" in single.printed(CHECK, "--describe", {"TOPIC": "single"})
    single.cluster.kill_broker(1)
    single.wait_for_leader("single", 2)
    assert single.records("single") == 10
    single.cluster.start_broker(1)
    single.cluster.wait_until_in_sync()
