"""From what the collector left of users' credentials to a row each."""

from collections.abc import Callable
from typing import Any

from pyspark.sql import DataFrame

from jobs.tables.scram_credentials import from_kafka, from_zookeeper

Frame = Callable[..., DataFrame]
Rows = Callable[..., list[tuple[Any, ...]]]

MARK = "hmac:0123456789abcdef0123456789abcdef"
ALICE = "/config/users/alice"


def test_the_credentials_of_a_real_cluster(recorded: DataFrame, rows_of: Rows) -> None:
    assert rows_of("scram_credentials", from_zookeeper(recorded)) == [
        ("alice", "SCRAM-SHA-256", 8192, "hmac:399a3f96f7b9d716339c199ea45fddc7", ALICE, None),
        ("alice", "SCRAM-SHA-512", 4096, "hmac:965d9b75d33eee628e15528877aad0b7", ALICE, None),
    ]


def test_only_a_mechanism_of_a_user_is_a_credential(znodes: Frame, rows_of: Rows) -> None:
    config = f'{{"config":{{"SCRAM-SHA-256":"{MARK},iterations=1"}}}}'
    tree = {
        "/config/users/al%20ice": '{"config":{"SCRAM-SHA-256":"present,iterations=4096","quota":"1"}}',
        "/config/users/bob/clients/app": config,
        "/config/clients/app": config,
        "/config/users/bob": None,
    }
    made = from_zookeeper(znodes(tree))
    assert rows_of("scram_credentials", made, "user", "mechanism", "iterations", "fingerprint") == [
        ("al ice", "SCRAM-SHA-256", 4096, "present")
    ]


def test_a_malformed_credential_keeps_its_fingerprint(znodes: Frame, rows_of: Rows) -> None:
    made = from_zookeeper(znodes({ALICE: f'{{"config":{{"SCRAM-SHA-256":"{MARK}","SCRAM-SHA-512":null}}}}'}))
    names = ("mechanism", "iterations", "fingerprint", "problem")
    assert rows_of("scram_credentials", made, *names) == [
        ("SCRAM-SHA-256", None, MARK, "the credential is malformed"),
        ("SCRAM-SHA-512", None, None, "the credential is malformed"),
    ]


def test_a_malformed_user_is_a_row_with_a_problem(
    znodes: Frame, rows_of: Rows, malformed: tuple[str | None, ...]
) -> None:
    # What is no proper config is replaced whole by its fingerprint.
    garbage = [MARK, *(data for data in malformed if data is not None)]
    tree = {f"/config/users/u{n}": data for n, data in enumerate(garbage)}
    made = from_zookeeper(znodes(tree))
    assert rows_of("scram_credentials", made, "user", "mechanism", "fingerprint", "problem") == sorted(
        ((f"u{n}", "", None, "the znode is not a JSON object") for n in range(len(garbage))), key=str
    )


def test_the_admin_api_fills_the_same_columns(frame: Frame, rows_of: Rows) -> None:
    described = {"user": "alice", "mechanism": "SCRAM-SHA-256", "iterations": 4096}
    made = from_kafka(frame("admin_scram_credentials", described))
    assert rows_of("scram_credentials", made) == [("alice", "SCRAM-SHA-256", 4096, None, None, None)]
