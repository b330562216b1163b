"""Certificates and keys, against a real TLS server that asks its clients for one."""

import ssl
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from socket import create_server, socket

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from kafka.errors import KafkaError
from kafka.protocol.metadata import MetadataRequest

from jobs.errors import SettingsError
from jobs.sources.kafka.connection.identity import identity_of
from jobs.sources.kafka.connection.servers import Servers
from jobs.sources.kafka.settings import Settings


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with `ca.pem`, a certificate for 127.0.0.1, and its key, `key.pem`, under the password `right`."""
    folder = tmp_path_factory.mktemp("keys")
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "lab")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder(
            name, name, key.public_key(), x509.random_serial_number(), now, now + timedelta(1)
        )
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    pem, pkcs8 = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
    (folder / "ca.pem").write_bytes(certificate.public_bytes(pem))
    locked = serialization.BestAvailableEncryption(b"right")
    (folder / "key.pem").write_bytes(key.private_bytes(pem, pkcs8, locked))
    return folder


@pytest.fixture
def server(keys: Path) -> Iterator[str]:
    """Lets in who has a certificate, and then says what no broker says."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(keys / "ca.pem", keys / "key.pem", "right")
    context.load_verify_locations(keys / "ca.pem")
    context.verify_mode = ssl.CERT_REQUIRED
    with create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=_serve, args=(listener, context), daemon=True).start()
        yield f"127.0.0.1:{listener.getsockname()[1]}"


def _serve(listener: socket, context: ssl.SSLContext) -> None:
    while True:
        try:
            plain = listener.accept()[0]
        except OSError:
            return
        try:
            with context.wrap_socket(plain, server_side=True) as connection:
                connection.recv(4096)
                connection.sendall(b"HTTP/1.1 400 Bad Request\r\n")
        except OSError:
            plain.close()


def refusal(server: str, tls: dict[str, object]) -> str:
    settings = Settings.model_validate({"bootstrap_servers": server, "timeout_s": 2, "tls": tls})
    with Servers(settings.brokers, identity_of(settings), 2) as servers, pytest.raises(KafkaError) as error:
        servers.ask(MetadataRequest(topics=[]))
    return str(error.value)


def test_a_server_that_asks_for_a_certificate_is_told(server: str, keys: Path) -> None:
    # Whether its alert or the end of the connection comes first is up to the operating system.
    told = refusal(server, {"ca": keys / "ca.pem"})
    assert "give tls.certificate and tls.key" in told or "does it ask for a certificate?" in told


def test_a_certificate_opens_the_door(server: str, keys: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KEY_PASSWORD", "right")
    own = {"certificate": keys / "ca.pem", "key": keys / "key.pem", "key_password": "${KEY_PASSWORD}"}
    assert "does not speak Kafka's protocol" in refusal(server, {"ca": keys / "ca.pem", **own})


@pytest.mark.parametrize("tls", [{}, {"key_password": "${KEY_PASSWORD}"}])
def test_a_key_that_does_not_open_is_a_settings_error(
    keys: Path, tls: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KEY_PASSWORD", "canary-1234")
    own = {"certificate": keys / "ca.pem", "key": keys / "key.pem", **tls}
    with pytest.raises(SettingsError, match="key_password must open it") as told:
        identity_of(Settings.model_validate({"bootstrap_servers": "b1:9092", "tls": own}))
    assert "canary-1234" not in str(told.value)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    tls = {"ca": tmp_path / "nowhere.pem"}
    with pytest.raises(SettingsError, match=r"There is no file .*nowhere\.pem"):
        identity_of(Settings.model_validate({"bootstrap_servers": "b1:9092", "tls": tls}))


def test_a_password_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KAFKA_PASSWORD", "canary-1234")
    auth = {"mechanism": "PLAIN", "user": "varve", "password": "${KAFKA_PASSWORD}"}
    identity = identity_of(Settings.model_validate({"bootstrap_servers": "b1:9092", "auth": auth}))
    assert identity.password == "canary-1234"
    assert "canary-1234" not in repr(identity) + str(identity)
