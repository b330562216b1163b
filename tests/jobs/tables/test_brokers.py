"""From a broker's registration to a row."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from pyspark.sql import DataFrame

from jobs.tables.brokers import brokers

CREATED_AT = datetime(2026, 11, 21, 14, 0, tzinfo=UTC)
Frame = Callable[..., DataFrame]
Rows = Callable[..., list[tuple[Any, ...]]]

V1 = '{"version":1,"host":"b1","port":9092,"jmx_port":9999,"timestamp":"1763690400000"}'
V2 = '{"version":2,"host":"b2","port":9092,"jmx_port":-1,"timestamp":"1763690400000","endpoints":["PLAINTEXT://b2:9092"]}'
V3 = (
    '{"version":3,"host":null,"port":-1,"jmx_port":-1,"timestamp":"1763690400000",'
    '"endpoints":["SSL://b3:9093","SASL_SSL://b3:9094"],"rack":"r1"}'
)
V4 = (
    '{"listener_security_protocol_map":{"EXTERNAL":"SSL"},"endpoints":["EXTERNAL://b4:9093"],"jmx_port":-1,'
    '"port":-1,"host":null,"version":4,"timestamp":"1763690400000","rack":"r2"}'
)
V5 = (
    '{"features":{"group.version":{"min_version":0,"max_version":1}},"listener_security_protocol_map":'
    '{"PLAINTEXT":"PLAINTEXT"},"endpoints":["PLAINTEXT://127.0.0.1:45231"],"jmx_port":-1,"port":45231,'
    '"host":"127.0.0.1","version":5,"timestamp":"1763690400000"}'
)


def test_every_version_of_a_registration_gives_its_endpoints(
    znodes: Frame, frame: Frame, rows_of: Rows
) -> None:
    tree = {f"/brokers/ids/{n}": data for n, data in enumerate((V1, V2, V3, V4, V5), start=1)}
    made = brokers(znodes(tree), frame("admin_brokers"))
    assert rows_of("brokers", made, "broker_id", "endpoints", "rack", "problem") == [
        (1, ["PLAINTEXT://b1:9092"], None, None),
        (2, ["PLAINTEXT://b2:9092"], None, None),
        (3, ["SSL://b3:9093", "SASL_SSL://b3:9094"], "r1", None),
        (4, ["EXTERNAL://b4:9093"], "r2", None),
        (5, ["PLAINTEXT://127.0.0.1:45231"], None, None),
    ]


def test_the_epoch_is_the_czxid_and_the_session_the_owner(znodes: Frame, frame: Frame, rows_of: Rows) -> None:
    node = {"data": V5, "czxid": 4294967299, "ephemeral_owner": 72057594037927936}
    made = brokers(znodes({"/brokers/ids/2147483647": node}), frame("admin_brokers"))
    assert rows_of("brokers", made, "broker_id", "epoch", "session", "registered_at", "fenced") == [
        (2147483647, 4294967299, 72057594037927936, CREATED_AT, None)
    ]


def test_only_registrations_are_brokers(znodes: Frame, frame: Frame, rows_of: Rows) -> None:
    others = (
        "/brokers",
        "/brokers/ids",
        "/brokers/ids/1/x",
        "/brokers/ids/x",
        "/x/brokers/ids/1",
        "/brokers/ids/-1",
    )
    tree = dict.fromkeys((*others, "/brokers/ids/2147483648", "/brokers/ids/99999999999999999999"), V5)
    assert rows_of("brokers", brokers(znodes(tree), frame("admin_brokers"))) == []


def test_a_malformed_registration_is_a_row_with_a_problem(
    znodes: Frame, frame: Frame, rows_of: Rows, malformed: tuple[str | None, ...]
) -> None:
    tree = {f"/brokers/ids/{n}": data for n, data in enumerate(malformed)}
    made = brokers(znodes(tree | {"/brokers/ids/99": '{"version":5,"rack":"r1"}'}), frame("admin_brokers"))
    rows = rows_of("brokers", made, "broker_id", "endpoints", "epoch", "problem")
    no_object = [(n, None, 10, "the znode is not a JSON object") for n in range(len(malformed))]
    no_endpoints = (99, None, 10, "the registration names no endpoints")
    assert rows == sorted([*no_object, no_endpoints], key=str)


def test_the_admin_api_fills_the_same_columns(znodes: Frame, frame: Frame, rows_of: Rows) -> None:
    listed = frame(
        "admin_brokers",
        {"broker_id": 1, "host": "b1", "port": 9092, "rack": "r1", "fenced": True},
        {"broker_id": 2, "host": "b2", "port": 9092},
    )
    assert rows_of("brokers", brokers(znodes({}), listed)) == [
        (1, ["b1:9092"], "r1", None, None, None, True, None),
        (2, ["b2:9092"], None, None, None, None, None, None),
    ]
