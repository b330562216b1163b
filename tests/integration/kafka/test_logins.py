"""A broker that asks who is there: whom it lets in, and what is said of a refusal."""

from collections.abc import Callable
from typing import Any

import pytest

from jobs.errors import NotReadError, SettingsError
from jobs.lab.secured_mode import SecuredKRaftCluster
from jobs.sources.kafka.probe import probe
from jobs.sources.kafka.settings import Settings
from schemas.snapshots import Gap
from tests.integration.kafka.secured import SCRAM_USER, let_scram_in, settings_of

Land = Callable[[Settings], tuple[dict[str, list[dict[str, Any]]], list[Gap]]]

NO_CA = {"ca": None}

pytestmark = pytest.mark.usefixtures("passwords")


@pytest.fixture(scope="module")
def cluster(secured_cluster: SecuredKRaftCluster) -> SecuredKRaftCluster:
    let_scram_in(secured_cluster)
    return secured_cluster


def test_scram_lets_in_whom_the_cluster_knows_whatever_the_name(cluster: SecuredKRaftCluster) -> None:
    first = probe(settings_of(cluster, user=SCRAM_USER, mechanism="SCRAM-SHA-512"))[0]
    assert (first.ok, first.message) == (True, f"1 brokers, asked as {SCRAM_USER} (SCRAM-SHA-512), over TLS")


@pytest.mark.parametrize("mechanism", ["PLAIN", "SCRAM-SHA-512"])
def test_a_wrong_password_is_told_at_once_by_the_name_of_its_variable(
    cluster: SecuredKRaftCluster, land: Land, mechanism: str
) -> None:
    auth = {"mechanism": mechanism, "user": "varve", "password": "${WRONG}"}
    with pytest.raises(NotReadError) as refused:
        land(settings_of(cluster, auth=auth))
    assert refused.value.reason == "unauthorized"
    assert str(refused.value) == (
        f"Kafka cannot be asked: {cluster.secured_servers} does not let varve in by {mechanism}: check auth.user, "
        "and the environment variable ${WRONG} for its password."
    )


def test_a_mechanism_that_is_not_offered_is_told_with_those_that_are(
    cluster: SecuredKRaftCluster, land: Land
) -> None:
    with pytest.raises(NotReadError, match="offer the SASL mechanism SCRAM-SHA-256 but PLAIN, SCRAM-SHA-512"):
        land(settings_of(cluster, mechanism="SCRAM-SHA-256"))


def test_a_wrong_host_name_is_not_trusted(cluster: SecuredKRaftCluster, land: Land) -> None:
    servers = cluster.secured_servers.replace("127.0.0.1", "localhost")
    with pytest.raises(NotReadError, match=r"the certificate of localhost:\d+ is for another name") as told:
        land(settings_of(cluster, bootstrap_servers=servers))
    assert told.value.reason == "unreachable"


def test_an_authority_that_nobody_named_is_not_trusted(cluster: SecuredKRaftCluster, land: Land) -> None:
    with pytest.raises(NotReadError, match=r"is not trusted .*: name the authority .* as tls\.ca") as told:
        land(settings_of(cluster, tls=NO_CA))
    assert told.value.reason == "unreachable"


def test_listeners_that_are_mistaken_for_each_other_are_told(
    cluster: SecuredKRaftCluster, land: Land
) -> None:
    wrong = {
        "speaks TLS only: say so with tls": settings_of(cluster, tls=None),
        r"is its listener one without TLS, or": settings_of(
            cluster, bootstrap_servers=cluster.bootstrap_servers
        ),
        "expects no login: .* or leave out auth": settings_of(
            cluster, bootstrap_servers=cluster.bootstrap_servers, tls=None
        ),
        "does its listener ask for TLS or for a login": settings_of(cluster, auth=None),
        "see whether bootstrap_servers names brokers, not controllers": settings_of(
            cluster, bootstrap_servers=cluster.bootstrap_controllers, tls=None, auth=None
        ),
    }
    for told, settings in wrong.items():
        with pytest.raises(NotReadError, match=told):
            land(settings.model_copy(update={"timeout_s": 2}))


def test_a_file_that_is_no_certificate_is_a_settings_error(cluster: SecuredKRaftCluster, land: Land) -> None:
    with pytest.raises(SettingsError, match="they must be PEM"):
        land(settings_of(cluster, tls={"ca": cluster.keys.keystore}))
