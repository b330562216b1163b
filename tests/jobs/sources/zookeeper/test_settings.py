"""The words of `zookeeper:` in varve.yaml."""

import sys
from pathlib import Path

import pytest
from pydantic import ValidationError

from jobs.errors import SettingsError
from jobs.sources.zookeeper.connection.credentials import credentials
from jobs.sources.zookeeper.probe import probe
from jobs.sources.zookeeper.settings import Settings


def settings_of(**also: object) -> Settings:
    """The settings as varve.yaml has them, of the server zk1."""
    return Settings.model_validate({"connect": "zk1:2181", **also})


@pytest.mark.parametrize(
    ("connect", "hosts", "chroot"),
    [
        ("zk1:2181,zk2:2181/kafka_cluster_01", "zk1:2181,zk2:2181", "/kafka_cluster_01"),
        ("zk1", "zk1", ""),
        ("zk1:2181/", "zk1:2181", ""),
        ("zk1:2181/a/b/", "zk1:2181", "/a/b"),
        ("[::1]:2181/kafka", "[::1]:2181", "/kafka"),
        (" zk1:2181, zk2:2181/kafka ", "zk1:2181, zk2:2181", "/kafka"),
    ],
)
def test_connect_is_kafkas_own_zookeeper_connect(connect: str, hosts: str, chroot: str) -> None:
    settings = Settings(connect=connect)

    assert (settings.hosts, settings.chroot) == (hosts, chroot)


@pytest.mark.parametrize(
    "connect",
    ["", "/kafka", "zk1:port/kafka", "zk1:2181,,zk2:2181", "http://zk1:2181", "zk1:2181//kafka", "zk 1:2181"],
)
def test_what_is_no_connect_string_is_refused(connect: str) -> None:
    with pytest.raises(ValidationError, match="connect"):
        Settings(connect=connect)


def test_a_password_is_never_written_in_the_settings() -> None:
    with pytest.raises(ValidationError, match="name an environment variable"):
        settings_of(auth={"scheme": "digest", "user": "varve", "password": "plain"})


def test_tls_checks_certificates_and_host_names(tmp_path: Path) -> None:
    (tmp_path / "ca.pem").write_text("")
    given = credentials(settings_of(tls={"ca": tmp_path / "ca.pem"}))

    assert (given["use_ssl"], given["verify_certs"], given["check_hostname"]) == (True, True, True)
    assert given["ca"] == str(tmp_path / "ca.pem")


def test_doctor_hears_of_a_secret_that_is_not_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ZOOKEEPER_PASSWORD", raising=False)
    auth = {"scheme": "digest", "user": "varve", "password": "${ZOOKEEPER_PASSWORD}"}

    (answer,) = probe(settings_of(auth=auth))

    assert not answer.ok
    assert "ZOOKEEPER_PASSWORD" in answer.message


@pytest.mark.parametrize("path", ["brokers", "/", "", "/brokers/", "/brokers//topics"])
def test_a_subtree_is_a_path_below_the_chroot(path: str) -> None:
    with pytest.raises(ValidationError, match="no path below the chroot, such as /brokers"):
        Settings(connect="zk1", subtrees=[path])


def test_kerberos_takes_the_ticket_and_no_password() -> None:
    with pytest.raises(ValidationError, match="password"):
        settings_of(auth={"scheme": "gssapi", "password": "${X}"})


def test_kerberos_without_its_package_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "kerberos", None)
    with pytest.raises(SettingsError, match="pip install kerberos"):
        credentials(settings_of(auth={"scheme": "gssapi"}))
