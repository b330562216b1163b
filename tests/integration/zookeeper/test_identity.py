"""Who Varve is to ZooKeeper, and whom it trusts: digest, SASL and TLS against real servers."""

import socket
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from kazoo.client import KazooClient
from kazoo.security import make_digest_acl

from jobs.errors import NotReadError, SettingsError
from jobs.machine.java import find_java

LOGIN = """Server {
  org.apache.zookeeper.server.auth.DigestLoginModule required user_varve="right";
};
"""


def auth(scheme: str) -> dict[str, str]:
    return {"scheme": scheme, "user": "varve", "password": "${ZOOKEEPER_PASSWORD}"}


def test_a_digest_opens_the_subtrees_that_are_closed_to_the_world(
    zookeeper: Any, client: KazooClient, collected: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    client.add_auth("digest", "varve:right")
    client.create("/digest", b"", acl=[make_digest_acl("varve", "right", read=True)])

    monkeypatch.setenv("ZOOKEEPER_PASSWORD", "right")
    assert set(collected(f"{zookeeper.connect}/digest", auth=auth("digest")).rows) == {"/"}

    monkeypatch.setenv("ZOOKEEPER_PASSWORD", "wrong")
    with pytest.raises(NotReadError, match="READ right"):
        collected(f"{zookeeper.connect}/digest", auth=auth("digest"))


def test_a_secret_that_is_not_set_is_told_by_its_name(
    zookeeper: Any, collected: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ZOOKEEPER_PASSWORD", raising=False)

    with pytest.raises(SettingsError, match="ZOOKEEPER_PASSWORD"):
        collected(zookeeper.connect, auth=auth("digest"))


@pytest.fixture(params=["", "sessionRequireClientSASLAuth=true\n"], ids=["sasl", "only-sasl"])
def sasl_zookeeper(
    request: pytest.FixtureRequest, start_zookeeper: Callable[..., Any], tmp_path: Path
) -> Any:
    (tmp_path / "login.conf").write_text(LOGIN)
    provider = "org.apache.zookeeper.server.auth.SASLAuthenticationProvider"
    return start_zookeeper(
        options=[f"-Djava.security.auth.login.config={tmp_path / 'login.conf'}"],
        config=f"authProvider.1={provider}\n{request.param}",
    )


def test_sasl_lets_the_right_password_in_and_says_so_of_a_wrong_one(
    sasl_zookeeper: Any, collected: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ZOOKEEPER_PASSWORD", "right")
    assert "/" in collected(sasl_zookeeper.connect, auth=auth("sasl")).rows

    monkeypatch.setenv("ZOOKEEPER_PASSWORD", "wrong")
    for _ in range(5):  # the refusal may come before, while or after the session is waited for
        with pytest.raises(NotReadError, match="refused Varve's credentials") as caught:
            collected(sasl_zookeeper.connect, auth=auth("sasl"), timeout_s=2)
        assert caught.value.reason == "unauthorized"


@pytest.mark.parametrize("sasl_zookeeper", ["sessionRequireClientSASLAuth=true\n"], indirect=True)
def test_a_server_that_wants_sasl_is_told_from_one_that_is_away(
    sasl_zookeeper: Any, collected: Callable[..., Any]
) -> None:
    with pytest.raises(NotReadError, match="only clients that log in by SASL: give `auth`") as caught:
        collected(sasl_zookeeper.connect, timeout_s=2)
    assert caught.value.reason == "unauthorized"


@pytest.fixture
def keystore(tmp_path: Path) -> Path:
    """A folder with a key pair for 127.0.0.1, a store that trusts it, and the certificate alone as PEM."""

    def keytool(command: str, store: str, *options: str) -> None:
        where = [
            "-alias",
            "zk",
            "-keystore",
            str(tmp_path / store),
            "-storetype",
            "PKCS12",
            "-storepass",
            "changeit",
        ]
        run = [str(find_java().with_name("keytool")), command, *where, *options]
        subprocess.run(run, check=True, capture_output=True)

    certificate = str(tmp_path / "ca.pem")
    names = ["-dname", "CN=zk", "-ext", "san=ip:127.0.0.1", "-ext", "bc:c"]
    keytool("-genkeypair", "zk.p12", "-keyalg", "RSA", *names)
    keytool("-exportcert", "zk.p12", "-rfc", "-file", certificate)
    keytool("-importcert", "trust.p12", "-noprompt", "-file", certificate)
    return tmp_path


@pytest.fixture
def secure_port(start_zookeeper: Callable[..., Any], keystore: Path) -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    start_zookeeper(
        options=["-Dzookeeper.serverCnxnFactory=org.apache.zookeeper.server.NettyServerCnxnFactory"],
        config=f"secureClientPort={port}\nsecureClientPortAddress=127.0.0.1\nssl.keyStore.location={keystore}/zk.p12\n"
        f"ssl.keyStore.password=changeit\nssl.trustStore.location={keystore}/trust.p12\n"
        "ssl.trustStore.password=changeit\nssl.clientAuth=none\n",
    )
    return port


def test_tls_reads_from_a_server_that_is_vouched_for_under_its_name_only(
    secure_port: int, keystore: Path, collected: Callable[..., Any]
) -> None:
    trusting = {"tls": {"ca": keystore / "ca.pem"}, "timeout_s": 5}

    assert "/" in collected(f"127.0.0.1:{secure_port}", **trusting).rows

    with pytest.raises(NotReadError, match="certificate is not valid for 'localhost'"):
        collected(f"localhost:{secure_port}", **trusting | {"timeout_s": 2})
    with pytest.raises(NotReadError, match="self-signed certificate"):
        collected(f"127.0.0.1:{secure_port}", tls={}, timeout_s=2)


def test_a_missing_ca_file_is_a_settings_error(
    zookeeper: Any, collected: Callable[..., Any], tmp_path: Path
) -> None:
    with pytest.raises(SettingsError, match=r"nowhere\.pem"):
        collected(zookeeper.connect, tls={"ca": tmp_path / "nowhere.pem"})
