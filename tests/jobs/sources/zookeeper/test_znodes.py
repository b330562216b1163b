"""A znode as a row, in the order of the table's columns."""

from datetime import UTC, datetime
from typing import Any

from jobs.secrets import Redactor
from jobs.sources.zookeeper.connection.stat import Stat, write_stat
from jobs.sources.zookeeper.znodes import znode_table
from schemas.zookeeper import ZNODES

STAT = Stat(
    czxid=1,
    mzxid=2,
    ctime=1_763_689_344_123,
    mtime=1_763_689_344_999,
    version=3,
    cversion=4,
    aversion=5,
    ephemeral_owner=6,
    data_length=7,
    num_children=8,
    pzxid=9,
)


def row(path: str, data: bytes | None) -> dict[str, Any]:
    table = znode_table([(path, (data, write_stat(STAT)))], Redactor("a key").fingerprint)
    assert table.column_names == list(ZNODES.column_names)
    first: dict[str, Any] = table.to_pylist()[0]
    return first


def test_a_row_has_every_column_in_its_place() -> None:
    assert row("/brokers/ids/1", b"{}") == {
        "path": "/brokers/ids/1",
        "data": "{}",
        "encoding": "utf-8",
        "czxid": 1,
        "mzxid": 2,
        "pzxid": 9,
        "ctime": datetime(2025, 11, 21, 1, 42, 24, 123000, tzinfo=UTC),
        "mtime": datetime(2025, 11, 21, 1, 42, 24, 999000, tzinfo=UTC),
        "version": 3,
        "cversion": 4,
        "aversion": 5,
        "ephemeral_owner": 6,
        "data_length": 7,
        "num_children": 8,
    }


def test_null_and_empty_data_are_not_the_same_and_neither_is_redacted() -> None:
    assert (row("/config/users/a", None)["data"], row("/config/users/a", None)["encoding"]) == (None, "utf-8")
    assert (row("/config/users/a", b"")["data"], row("/config/users/a", b"")["encoding"]) == ("", "utf-8")


def test_data_that_is_no_utf_8_is_base64() -> None:
    assert (row("/x", b"\xff\x00")["data"], row("/x", b"\xff\x00")["encoding"]) == ("/wA=", "base64")


def test_a_redacted_row_says_so() -> None:
    secret = row("/config/users/alice", b'{"version":1,"config":{"SCRAM-SHA-256":"salt=a,stored_key=b"}}')

    assert secret["encoding"] == "redacted"
    assert "stored_key" not in secret["data"]
