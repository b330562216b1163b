import pytest
from pydantic import ValidationError

from jobs.sources.kafka.settings import Settings


def test_several_servers_are_split() -> None:
    assert Settings(bootstrap_servers="b1:9092, [::1]:9093").brokers == ["b1:9092", "[::1]:9093"]


@pytest.mark.parametrize("servers", ["", "b1", "b1:", "b1:port", "b1:9092,", "kafka://b1:9092"])
def test_what_is_no_host_and_port_is_refused(servers: str) -> None:
    with pytest.raises(ValidationError, match="is no host:port; write them as b1:9092,b2:9092"):
        Settings(bootstrap_servers=servers)


def test_controllers_alone_are_enough_and_no_servers_are_too_few() -> None:
    settings = Settings(bootstrap_controllers="c1:9093,c2:9093")
    assert (settings.brokers, settings.controllers) == ([], ["c1:9093", "c2:9093"])
    with pytest.raises(ValidationError, match="give bootstrap_servers, bootstrap_controllers or both"):
        Settings()


def test_a_password_is_named_never_written() -> None:
    auth = {"mechanism": "PLAIN", "user": "varve", "password": "${KAFKA_PASSWORD}"}
    assert Settings.model_validate({"bootstrap_servers": "b1:9092", "auth": auth}).auth is not None
    with pytest.raises(ValidationError, match="a secret is never written here"):
        Settings.model_validate({"bootstrap_servers": "b1:9092", "auth": auth | {"password": "canary"}})


def test_host_names_are_always_checked() -> None:
    with pytest.raises(ValidationError, match="Extra inputs are not permitted"):
        Settings.model_validate({"bootstrap_servers": "b1:9092", "tls": {"check_hostname": False}})
