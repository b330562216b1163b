import socket

from jobs.lab.ports import HOST, free_port, kafka_answers, zookeeper_answers


def test_a_free_port_is_given_once() -> None:
    ports = [free_port() for _ in range(50)]
    assert len(set(ports)) == 50


def test_a_free_port_is_below_those_of_outgoing_connections_and_can_be_bound() -> None:
    port = free_port()
    assert 15_000 <= port < 30_000
    with socket.socket() as server:
        server.bind((HOST, port))


def test_nobody_answers_on_a_free_port() -> None:
    port = free_port()
    assert not kafka_answers(port)
    assert not zookeeper_answers(port)
