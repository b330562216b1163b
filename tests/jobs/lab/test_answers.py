from jobs.lab.answers import kafka_answers, zookeeper_answers
from jobs.lab.ports import free_port


def test_nobody_answers_on_a_free_port() -> None:
    port = free_port()
    assert not kafka_answers(port)
    assert not zookeeper_answers(port)
