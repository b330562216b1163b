"""From a broker's registration to a row."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from pyspark.sql import DataFrame

from jobs.tables.brokers import from_kafka, from_zookeeper

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


def checkpoint(broker: int, end_offset: int, epoch: int = 1, problem: str | None = None) -> dict[str, Any]:
    place = {"broker_id": broker, "path": "/d0"}
    return {**place, "end_offset": end_offset, "epoch": epoch, "bytes": 1000, "problem": problem}


def registration(broker: int, registered: int, rack: str = "r1", fenced: bool = True) -> dict[str, Any]:
    return {
        "broker_id": broker,
        "path": "/d0",
        "registered_id": registered,
        "epoch": 40 + registered,
        "incarnation_id": "gzwjCU1cRoe8yj_rmhD1Tg",
        "endpoints": [f"SSL://b{registered}:9093"],
        "security_protocols": [{"listener": "SSL", "protocol": "SSL"}],
        "features": [{"name": "metadata.version", "min_version": 1, "max_version": 21}],
        "rack": rack,
        "fenced": fenced,
        "in_controlled_shutdown": False,
        "is_migrating": False,
        "log_dirs": [],
    }


@pytest.fixture
def over_the_api(frame: Frame) -> Callable[..., DataFrame]:
    """The brokers of a cluster with these ones listed, checkpoints and registrations in them."""

    def made(
        listed: list[dict[str, Any]], checkpoints: list[dict[str, Any]], registered: list[dict[str, Any]]
    ) -> DataFrame:
        return from_kafka(
            frame("admin_brokers", *listed),
            frame("checkpoint_brokers", *registered),
            frame("metadata_checkpoints", *checkpoints),
        )

    return made


def test_every_version_of_a_registration_gives_its_endpoints(znodes: Frame, rows_of: Rows) -> None:
    made = from_zookeeper(
        znodes({f"/brokers/ids/{n}": data for n, data in enumerate((V1, V2, V3, V4, V5), start=1)})
    )
    assert rows_of("brokers", made, "version", "endpoints", "rack", "jmx_port", "problem") == [
        (1, ["PLAINTEXT://b1:9092"], None, 9999, None),
        (2, ["PLAINTEXT://b2:9092"], None, -1, None),
        (3, ["SSL://b3:9093", "SASL_SSL://b3:9094"], "r1", -1, None),
        (4, ["EXTERNAL://b4:9093"], "r2", -1, None),
        (5, ["PLAINTEXT://127.0.0.1:45231"], None, -1, None),
    ]


def test_a_listener_has_the_protocol_of_the_map_or_of_its_name_where_there_is_none(
    znodes: Frame, rows_of: Rows
) -> None:
    made = from_zookeeper(
        znodes({f"/brokers/ids/{n}": data for n, data in enumerate((V1, V2, V3, V4, V5), start=1)})
    )
    assert rows_of("brokers", made, "broker_id", "security_protocols") == [
        (1, [{"listener": "PLAINTEXT", "protocol": "PLAINTEXT"}]),
        (2, [{"listener": "PLAINTEXT", "protocol": "PLAINTEXT"}]),
        (
            3,
            [{"listener": "SSL", "protocol": "SSL"}, {"listener": "SASL_SSL", "protocol": "SASL_SSL"}],
        ),
        (4, [{"listener": "EXTERNAL", "protocol": "SSL"}]),
        (5, [{"listener": "PLAINTEXT", "protocol": "PLAINTEXT"}]),
    ]


def test_features_are_there_from_version_5_on_by_name(znodes: Frame, rows_of: Rows) -> None:
    two = V5.replace('{"group.version"', '{"x.version":{"min_version":1,"max_version":3},"group.version"')
    made = from_zookeeper(znodes({"/brokers/ids/4": V4, "/brokers/ids/5": two}))
    assert rows_of("brokers", made, "broker_id", "features") == [
        (4, None),
        (
            5,
            [
                {"name": "group.version", "min_version": 0, "max_version": 1},
                {"name": "x.version", "min_version": 1, "max_version": 3},
            ],
        ),
    ]


def test_the_epoch_is_the_czxid_and_the_session_the_owner(znodes: Frame, rows_of: Rows) -> None:
    node = {"data": V5, "czxid": 4294967299, "ephemeral_owner": 72057594037927936}
    made = from_zookeeper(znodes({"/brokers/ids/2147483647": node}))
    assert rows_of("brokers", made, "broker_id", "epoch", "session", "registered_at", "fenced") == [
        (2147483647, 4294967299, 72057594037927936, CREATED_AT, None)
    ]


def test_only_registrations_are_brokers(znodes: Frame, rows_of: Rows) -> None:
    others = (
        "/brokers",
        "/brokers/ids",
        "/brokers/ids/1/x",
        "/brokers/ids/x",
        "/x/brokers/ids/1",
        "/brokers/ids/-1",
    )
    tree = dict.fromkeys((*others, "/brokers/ids/2147483648", "/brokers/ids/99999999999999999999"), V5)
    assert rows_of("brokers", from_zookeeper(znodes(tree))) == []


def test_a_malformed_registration_is_a_row_with_a_problem(
    znodes: Frame, rows_of: Rows, malformed: tuple[str | None, ...]
) -> None:
    made = from_zookeeper(znodes({f"/brokers/ids/{n}": data for n, data in enumerate(malformed)}))
    rows = rows_of("brokers", made, "broker_id", "endpoints", "epoch", "problem")
    assert rows == sorted(
        [(n, None, 10, "the znode is not a JSON object") for n in range(len(malformed))], key=str
    )


def test_what_kafka_fails_on_is_named(znodes: Frame, rows_of: Rows) -> None:
    without_port = V1.replace('"port":9092,', "")
    registrations = [
        '{"version":5,"rack":"r1","jmx_port":-1}',
        without_port,
        V5.replace('"version":5', '"version":"5"'),
        V5.replace('"version":5', '"version":0'),
        V5.replace('"jmx_port":-1,', ""),
        V4.replace("EXTERNAL://b4:9093", "EXTERNAL:/b4:9093"),
        V4.replace("EXTERNAL://", "INTERNAL://"),
        V4.replace('"SSL"', '"TLS"'),
        V2.replace("PLAINTEXT://", "CLIENT://"),
        V4.replace('"EXTERNAL://b4:9093"', "null"),
    ]
    made = from_zookeeper(znodes({f"/brokers/ids/{n}": data for n, data in enumerate(registrations)}))
    assert rows_of("brokers", made, "broker_id", "problem") == [
        (0, "the registration names no endpoints"),
        (1, "the registration names no endpoints"),
        (2, "the registration names no version"),
        (3, "Unsupported version of broker registration: 0"),
        (4, "the registration names no jmx_port"),
        (5, "Unable to parse EXTERNAL:/b4:9093 to a broker endpoint"),
        (6, "No security protocol defined for listener INTERNAL"),
        (7, "No security protocol defined for listener EXTERNAL"),
        (8, "No security protocol defined for listener CLIENT"),
        (9, "an endpoint is null"),
    ]


def test_what_kafka_accepts_is_no_problem(znodes: Frame, rows_of: Rows) -> None:
    registrations = [
        V4.replace("EXTERNAL://b4:9093", "external://[::1]:9093"),
        V4.replace('"SSL"', '"ssl"'),
        V4.replace('"version":4', '"version":6'),
        V5.replace("127.0.0.1:45231", ":-1"),
        V4.replace('{"EXTERNAL":"SSL"}', '{"EXTERNAL":"?","EXTERNAL":"SSL"}'),
    ]
    made = from_zookeeper(znodes({f"/brokers/ids/{n}": data for n, data in enumerate(registrations)}))
    assert rows_of("brokers", made, "broker_id", "problem") == [(n, None) for n in range(5)]


def test_from_kafka_4_on_the_api_tells_itself_who_is_fenced(over_the_api: Frame, rows_of: Rows) -> None:
    """Broker 3 was unregistered after the checkpoint."""
    listed = [
        {"broker_id": 1, "host": "b1", "port": 9092, "rack": "r1", "fenced": True},
        {"broker_id": 2, "host": "b2", "port": 9092, "fenced": False},
    ]
    made = over_the_api(listed, [checkpoint(101, 50)], [registration(101, 1), registration(101, 3)])
    assert rows_of("brokers", made, "broker_id", "endpoints", "rack", "epoch", "fenced") == [
        (1, ["b1:9092"], "r1", None, True),
        (2, ["b2:9092"], None, None, False),
    ]


def test_before_kafka_4_who_is_listed_is_not_fenced_and_who_is_only_in_a_checkpoint_is(
    over_the_api: Frame, rows_of: Rows
) -> None:
    """Broker 2 was fenced when the checkpoint was made and is back; broker 4 fell afterwards."""
    listed = [{"broker_id": 1, "host": "b1", "port": 9092}, {"broker_id": 2, "host": "b2", "port": 9092}]
    registered = [
        registration(101, 1, fenced=False),
        registration(101, 2, fenced=True),
        registration(101, 3, rack="r3", fenced=True),
        registration(101, 4, fenced=False),
    ]
    made = over_the_api(listed, [checkpoint(101, 50)], registered)
    ssl = [{"listener": "SSL", "protocol": "SSL"}]
    features = [{"name": "metadata.version", "min_version": 1, "max_version": 21}]
    nothing = (None, None, None, None, None)
    assert rows_of("brokers", made) == [
        (1, ["b1:9092"], None, None, None, None, False, *nothing),
        (2, ["b2:9092"], None, None, None, None, False, *nothing),
        (3, ["SSL://b3:9093"], "r3", 43, None, None, True, None, None, ssl, features, None),
        (4, ["SSL://b4:9093"], "r1", 44, None, None, True, None, None, ssl, features, None),
    ]


def test_of_several_disks_the_checkpoint_that_reaches_furthest_counts(
    over_the_api: Frame, rows_of: Rows
) -> None:
    checkpoints = [checkpoint(101, 50, epoch=9), checkpoint(102, 70), checkpoint(1, 60)]
    registered = [registration(101, 1), registration(102, 2), registration(1, 1), registration(1, 3)]
    made = over_the_api([], checkpoints, registered)
    assert rows_of("brokers", made, "broker_id") == [(2,)]


def test_a_malformed_checkpoint_counts_only_where_there_is_no_whole_one(
    over_the_api: Frame, rows_of: Rows
) -> None:
    """Under a malformed one the registrations are those of the one before it."""
    cut = checkpoint(101, 70, problem="there is no SnapshotFooter")
    registered = [registration(101, 1), registration(102, 2)]
    assert rows_of("brokers", over_the_api([], [cut], registered), "broker_id") == [(1,)]
    both = over_the_api([], [cut, checkpoint(102, 50)], registered)
    assert rows_of("brokers", both, "broker_id") == [(2,)]
