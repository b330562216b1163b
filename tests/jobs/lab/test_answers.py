from jobs.lab.ports import free_port, kafka_answers, zookeeper_answers


def test_nobody_answers_on_a_free_port() -> None:
    port = free_port()
    assert not kafka_answers(port)
    assert not zookeeper_answers(port)
