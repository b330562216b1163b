"""Servers that do not answer as a broker does, each a real socket."""

import socket
import threading
import time
from collections.abc import Callable, Iterator

import pytest
from kafka.errors import KafkaError, KafkaProtocolError, UnsupportedVersionError
from kafka.protocol.metadata import MetadataRequest

from jobs.sources.kafka.connection.failures import NoAnswerError, RefusedError
from jobs.sources.kafka.connection.identity import Identity
from jobs.sources.kafka.connection.servers import Servers

ANONYMOUS = Identity(None, None)


@pytest.fixture
def server_saying() -> Iterator[Callable[[bytes | None], str]]:
    """Starts a server that says those bytes to whoever asks and hangs up; None: takes questions and says nothing."""
    listeners: list[socket.socket] = []

    def start(answer: bytes | None) -> str:
        listener = socket.create_server(("127.0.0.1", 0))
        listeners.append(listener)
        if answer is not None:
            threading.Thread(target=_answer_all, args=(listener, answer), daemon=True).start()
        return f"127.0.0.1:{listener.getsockname()[1]}"

    yield start
    for listener in listeners:
        listener.close()


def _answer_all(listener: socket.socket, answer: bytes) -> None:
    try:
        while True:
            with listener.accept()[0] as connection:
                connection.recv(4096)
                connection.sendall(answer)
    except OSError:
        return


def test_a_broker_before_2_4_is_asked_again_in_the_version_it_knows() -> None:
    """It answers the newer ApiVersions in version 0, with UNSUPPORTED_VERSION and the range of ApiVersions itself."""
    refusal = b"\x00\x00\x00\x01" + b"\x00\x23" + b"\x00\x00\x00\x01" + b"\x00\x12\x00\x00\x00\x02"
    answer = b"\x00\x00\x00\x02" + b"\x00\x00" + b"\x00\x00\x00\x01" + b"\x00\x12\x00\x00\x00\x02"
    with socket.create_server(("127.0.0.1", 0)) as listener:
        replies = [len(reply).to_bytes(4, "big") + reply for reply in (refusal, answer)]
        threading.Thread(target=_answer_in_turn, args=(listener, replies), daemon=True).start()
        with pytest.raises(UnsupportedVersionError, match="does not know MetadataRequest"):
            ask(f"127.0.0.1:{listener.getsockname()[1]}")


def _answer_in_turn(listener: socket.socket, replies: list[bytes]) -> None:
    with listener.accept()[0] as connection:
        for reply in replies:
            connection.recv(4096)
            connection.sendall(reply)


def ask(*servers: str, timeout_s: float = 1) -> None:
    with Servers(servers, ANONYMOUS, timeout_s) as all_of_them:
        all_of_them.ask(MetadataRequest(topics=[]))


def test_a_server_that_says_nothing_is_given_up_in_time(server_saying: Callable[[bytes | None], str]) -> None:
    silent = server_saying(None)
    begun = time.monotonic()
    with pytest.raises(NoAnswerError, match=f"{silent} does not answer in time"):
        ask(silent)
    assert time.monotonic() - begun < 3


@pytest.mark.parametrize(
    ("answer", "error", "told"),
    [
        (b"HTTP/1.1 400 Bad Request\r\n", RefusedError, "does not speak Kafka's protocol: check its port"),
        (b"\x15\x03\x03\x00\x02\x02\x46", RefusedError, "speaks TLS only: say so with tls"),
        (b"", NoAnswerError, "ended the connection"),
        (b"\x00\x00\x00\x0a\x00\x00", NoAnswerError, "ended the connection"),
        (b"\x00\x00\x00\x02\x00\x00", KafkaProtocolError, "this is no ApiVersionsResponse"),
        (b"\x00\x00\x00\x05\x00\x00\x00\x01\x00", KafkaProtocolError, "this is no ApiVersionsResponse"),
        (b"\x00\x00\x00\x04\x00\x00\x00\x07", NoAnswerError, "answers another question"),
    ],
)
def test_what_is_no_answer_of_kafka_is_told(
    server_saying: Callable[[bytes | None], str], answer: bytes, error: type[KafkaError], told: str
) -> None:
    with pytest.raises(error, match=told):
        ask(server_saying(answer))


def test_a_refusal_is_told_rather_than_the_silence_of_another(
    server_saying: Callable[[bytes | None], str],
) -> None:
    with pytest.raises(RefusedError, match="speaks TLS only"):
        ask(server_saying(None), server_saying(b"\x15\x03\x03\x00\x02\x02\x46"))
