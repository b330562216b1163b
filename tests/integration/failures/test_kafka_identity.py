"""A Kafka that does not know the password, and one whose certificate is for another name."""

from collections.abc import Iterator
from typing import Any

import pytest

from jobs.lab.secured_mode import SecuredKRaftCluster

HEALTHY, OTHER_NAME, WRONG_PASSWORD = "20261121T140000Z", "20261121T141000Z", "20261121T142000Z"
USER, RIGHT, WRONG = "ANONYMOUS", "the-right-password", "a-wrong-password"
"""The lab's super user, so that no rights are missing besides."""


@pytest.fixture(scope="module")
def watched(secured_cluster: SecuredKRaftCluster, watch: Any) -> Iterator[Any]:
    """A lake with a snapshot of everything, by the password that the environment has."""
    kafka = {
        "bootstrap_servers": secured_cluster.secured_servers,
        "timeout_s": 5,
        "auth": {"mechanism": "PLAIN", "user": USER, "password": "${KAFKA_PASSWORD}"},
        "tls": {"ca": str(secured_cluster.keys.ca)},
    }
    watched = watch({"kafka": kafka, "log_dirs": secured_cluster.settings("lab")["log_dirs"]})
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("KAFKA_PASSWORD", RIGHT)
        told = watched.snapshot(HEALTHY)["kafka"]
        assert "complete" in told.out, told.all
        yield watched


@pytest.fixture(scope="module")
def other_name(watched: Any, secured_cluster: SecuredKRaftCluster) -> Any:
    """What was told when the servers were reached by a name that their certificate is not for."""
    watched.entry["kafka"]["bootstrap_servers"] = secured_cluster.secured_servers.replace(
        "127.0.0.1", "localhost"
    )
    return watched.snapshot(OTHER_NAME)["kafka"]


@pytest.fixture
def wrong_password(
    watched: Any, secured_cluster: SecuredKRaftCluster, other_name: Any, monkeypatch: Any
) -> Any:
    """What was told, in the snapshot after that, when the password was wrong."""
    assert other_name.code == 1
    watched.entry["kafka"]["bootstrap_servers"] = secured_cluster.secured_servers
    monkeypatch.setenv("KAFKA_PASSWORD", WRONG)
    return watched.snapshot(WRONG_PASSWORD)["kafka"]


def test_a_certificate_for_another_name_is_told_with_the_name(other_name: Any, watched: Any) -> None:
    assert other_name.code == 1
    assert "the certificate of localhost:" in other_name.err
    assert "is for another name" in other_name.err
    assert watched.gaps(OTHER_NAME) == [("kafka", "/", "unreachable")]
    _deletes_nothing(watched, OTHER_NAME)


def test_a_wrong_password_is_told_by_its_variable_and_never_shown(wrong_password: Any, watched: Any) -> None:
    assert wrong_password.code == 1
    assert f"does not let {USER} in by PLAIN: check auth.user" in wrong_password.err
    assert "${KAFKA_PASSWORD}" in wrong_password.err
    assert RIGHT not in wrong_password.all
    assert WRONG not in wrong_password.all
    assert watched.gaps(WRONG_PASSWORD) == [("kafka", "/", "unauthorized")]
    _deletes_nothing(watched, WRONG_PASSWORD)


def _deletes_nothing(watched: Any, snapshot_id: str) -> None:
    assert watched.deleted(HEALTHY, snapshot_id) == set()
    assert watched.ask("SELECT event FROM events", snapshot_id) == []
    seen = watched.current(snapshot_id)
    assert (seen["brokers"], seen["topics"], seen["quorum"]) == ({False}, {False}, {False})
    assert (seen["log_dirs"], seen["disk_replicas"]) == ({True}, {True})
