"""A broker that takes connections and says nothing, as one does that is paused."""

import socket
import time

import pytest

from jobs.sources.kafka.connection.client import KafkaClient, metadata_request
from jobs.sources.kafka.connection.failures import NoAnswerError
from jobs.sources.kafka.connection.identity import Identity
from jobs.sources.kafka.connection.servers import Servers


def test_a_broker_that_did_not_answer_once_is_not_waited_for_again() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"127.0.0.1:{silent.getsockname()[1]}"
        client = KafkaClient(Servers([address], Identity(None, None), 1))
        client.know({1: address})
        begun = time.monotonic()
        for _ in range(10):
            with pytest.raises(NoAnswerError, match="does not answer in time"):
                client.ask_broker(1, metadata_request([]))
    assert time.monotonic() - begun < 3
