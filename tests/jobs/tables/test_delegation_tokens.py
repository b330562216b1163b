"""From a redacted token to a row."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from pyspark.sql import DataFrame

from jobs.tables.delegation_tokens import from_zookeeper

Frame = Callable[..., DataFrame]
Rows = Callable[..., list[tuple[Any, ...]]]

MARK = "hmac:0123456789abcdef0123456789abcdef"
TOKEN = f"/delegation_token/tokens/{MARK}"
V1 = (
    '{"version":1,"owner":"User%3Aalice","renewers":["User:bob"],"issueTimestamp":1763690400000,'
    f'"expiryTimestamp":1763776800000,"tokenId":"{MARK}"}}'
)
V2 = V1.replace('"version":1', '"version":2,"maxTimestamp":1764295200000')
ISSUED_AT = datetime(2025, 11, 21, 2, 0, tzinfo=UTC)
EXPIRES_AT = datetime(2025, 11, 22, 2, 0, tzinfo=UTC)
MAX_AT = datetime(2025, 11, 28, 2, 0, tzinfo=UTC)


def test_a_token_of_a_real_cluster(recorded: DataFrame, rows_of: Rows) -> None:
    assert rows_of("delegation_tokens", from_zookeeper(recorded)) == [
        (
            "hmac:2c4964c9ab97292c73fb8318b9b7a250",
            "User:alice",
            "User:alice",
            ["User:bob", "User:carl o"],
            datetime(2026, 11, 21, 5, 29, 54, 755000, tzinfo=UTC),
            datetime(2026, 11, 22, 5, 29, 54, 755000, tzinfo=UTC),
            datetime(2026, 11, 28, 5, 29, 54, 755000, tzinfo=UTC),
            3,
            None,
        )
    ]


@pytest.mark.parametrize(
    ("data", "requester", "max_at", "version"),
    [
        (V1, "User:alice", None, 1),
        (V2, "User:alice", MAX_AT, 2),
        (V2.replace('"version":2', '"version":3,"tokenRequester":"User:eve"'), "User:eve", MAX_AT, 3),
    ],
)
def test_every_version_is_read(
    data: str, requester: str, max_at: datetime | None, version: int, znodes: Frame, rows_of: Rows
) -> None:
    assert rows_of("delegation_tokens", from_zookeeper(znodes({TOKEN: data}))) == [
        (MARK, "User:alice", requester, ["User:bob"], ISSUED_AT, EXPIRES_AT, max_at, version, None)
    ]


def test_a_token_without_data_is_none_as_in_kafka(znodes: Frame, rows_of: Rows) -> None:
    tree = {"/delegation_token/tokens": None, TOKEN: None, "/delegation_token/tokens/t": ""}
    assert rows_of("delegation_tokens", from_zookeeper(znodes(tree))) == []


def test_an_end_beyond_all_calendars_is_unknown(znodes: Frame, rows_of: Rows) -> None:
    made = from_zookeeper(znodes({TOKEN: V2.replace("1764295200000", "9223372036854775807")}))
    assert rows_of("delegation_tokens", made, "expires_at", "max_at", "problem") == [(EXPIRES_AT, None, None)]


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (MARK, "the znode is not a JSON object"),
        ("[1]", "the znode is not a JSON object"),
        ('{"owner":"User:alice"}', "the version is not 1 to 3"),
        (V1.replace('"version":1', '"version":4'), "the version is not 1 to 3"),
        (V1.replace('"version":1', '"version":2'), "the token lacks a field"),
        (V2.replace('"version":2', '"version":3'), "the token lacks a field"),
        (V1.replace('"owner"', '"other"'), "the token lacks a field"),
    ],
)
def test_a_malformed_token_is_a_row_with_a_problem(
    data: str, problem: str, znodes: Frame, rows_of: Rows
) -> None:
    made = from_zookeeper(znodes({TOKEN: data}))
    assert rows_of("delegation_tokens", made, "token", "problem") == [(MARK, problem)]
