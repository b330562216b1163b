import pytest
from pydantic import ValidationError

from jobs.sources.kafka.settings import Settings


def test_several_servers_are_split() -> None:
    assert Settings(bootstrap_servers="b1:9092, [::1]:9093").servers == ["b1:9092", "[::1]:9093"]


@pytest.mark.parametrize("servers", ["", "b1", "b1:", "b1:port", "b1:9092,", "kafka://b1:9092"])
def test_what_is_no_host_and_port_is_refused(servers: str) -> None:
    with pytest.raises(ValidationError, match="is no host:port; write them as b1:9092,b2:9092"):
        Settings(bootstrap_servers=servers)
