import struct
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from google_crc32c import value as crc32c

from jobs.errors import NotReadError
from jobs.lake.arrow import arrow_table
from jobs.sources.log_dirs.checkpoint_rows import CheckpointRows, checkpoint_rows
from jobs.sources.log_dirs.contents import File, LogDirFiles
from schemas.metadata_checkpoints import CHECKPOINT_BROKERS, METADATA_CHECKPOINTS
from schemas.snapshots import GapReason

DATA = Path(__file__).parents[3] / "data/log_dirs"
NAME = "00000000000000000047-0000000001.checkpoint"


def recorded(version: str) -> Path:
    """The newest checkpoint of the recorded controller."""
    return max((DATA / f"kraft-{version}").glob("**/*.checkpoint"))


def read(name: str, content: bytes | NotReadError) -> CheckpointRows:
    """What lands of a log dir with that checkpoint."""
    file = File(content, 0) if isinstance(content, bytes) else content
    return checkpoint_rows(101, LogDirFiles("/d0", newest_checkpoint=(name, file)))


def landed(found: CheckpointRows) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The row of `metadata_checkpoints` and those of `checkpoint_brokers` as they land: they must fit the columns."""
    (checkpoint,) = arrow_table(METADATA_CHECKPOINTS.columns, found.rows["metadata_checkpoints"]).to_pylist()
    brokers = arrow_table(CHECKPOINT_BROKERS.columns, found.rows.get("checkpoint_brokers", []))
    return checkpoint, brokers.to_pylist()


def with_time(content: bytes, milliseconds: int) -> bytes:
    """The checkpoint with another lastContainedLogTimestamp, and a checksum that fits it."""
    header_batch = bytearray(content[:166])
    header_batch[73:81] = struct.pack(">q", milliseconds)
    header_batch[17:21] = struct.pack(">I", crc32c(bytes(header_batch[21:])))
    return bytes(header_batch) + content[166:]


def test_a_whole_checkpoint_says_as_of_when_it_is_and_what_is_in_it() -> None:
    found = read(NAME, recorded("3.9.1").read_bytes())
    assert found.gaps == []
    assert landed(found)[0] == {
        "broker_id": 101,
        "path": "/d0",
        "end_offset": 47,
        "epoch": 1,
        "last_contained_at": datetime(2026, 11, 21, 4, 58, 18, 380_000, tzinfo=UTC),
        "bytes": 1494,
        "kraft_version": 1,
        "features": [{"name": "metadata.version", "level": 21}],
        "voters": [{"node_id": 101, "directory_id": "W-KQHgvZQnOkUSmLFcmLKg"}],
        "records": [
            {"type": "RegisterBrokerRecord", "count": 3},
            {"type": "TopicRecord", "count": 1},
            {"type": "PartitionRecord", "count": 3},
            {"type": "ConfigRecord", "count": 3},
            {"type": "UserScramCredentialRecord", "count": 1},
            {"type": "FeatureLevelRecord", "count": 1},
            {"type": "ZkMigrationStateRecord", "count": 1},
            {"type": "RegisterControllerRecord", "count": 1},
        ],
        "problem": None,
    }


def test_before_kraft_version_1_there_are_no_voters() -> None:
    row, _ = landed(read(NAME, recorded("3.3.2").read_bytes()))
    assert (row["kraft_version"], row["voters"]) == (0, None)


@pytest.mark.parametrize("milliseconds", [-1, 2**63 - 1])
def test_a_time_that_is_none_is_null(milliseconds: int) -> None:
    row, _ = landed(read(NAME, with_time(recorded("3.9.1").read_bytes(), milliseconds)))
    assert (row["last_contained_at"], row["problem"]) == (None, None)


def test_of_a_malformed_checkpoint_only_its_name_and_size_are_told_and_its_brokers_are_a_gap() -> None:
    found = read(NAME, recorded("3.9.1").read_bytes()[:1400])
    row, brokers = landed(found)
    problem = "batch at byte 166: the file ends within a batch, after 1234 of its 1253 bytes"
    assert brokers == []
    assert {name: value for name, value in row.items() if value is not None} == {
        "broker_id": 101,
        "path": "/d0",
        "end_offset": 47,
        "epoch": 1,
        "bytes": 1400,
        "problem": problem,
    }
    assert found.gaps == [
        (
            "__cluster_metadata-0/checkpoint/brokers",
            "unreadable",
            f"/d0/__cluster_metadata-0/{NAME} is not trusted: {problem}.",
        )
    ]


def test_a_checkpoint_that_may_not_be_read_is_a_gap_that_says_who_may() -> None:
    found = read(NAME, NotReadError(GapReason.UNAUTHORIZED, "It may not be read."))
    assert found == CheckpointRows(
        gaps=[
            (
                "__cluster_metadata-0/checkpoint",
                GapReason.UNAUTHORIZED,
                "It may not be read. Kafka lets only its own user read checkpoints: run Varve's part on that "
                "machine as that user.",
            )
        ]
    )


def test_a_checkpoint_that_cannot_be_read_for_another_reason_is_a_gap_with_that_reason() -> None:
    found = read(NAME, NotReadError(GapReason.UNREADABLE, "It is too large."))
    assert found.gaps == [("__cluster_metadata-0/checkpoint", "unreadable", "It is too large.")]


@pytest.mark.parametrize("names", [[], ["00000000000000000047-0000000001-77.checkpoint.part"]])
def test_a_log_dir_without_a_finished_checkpoint_has_no_rows_and_no_gap(names: list[str]) -> None:
    assert checkpoint_rows(1, LogDirFiles("/d0", checkpoint_names=names)) == CheckpointRows()


def test_a_checkpoint_that_was_gone_whenever_it_was_to_be_read_is_not_taken_for_none() -> None:
    found = checkpoint_rows(1, LogDirFiles("/d0", checkpoint_names=[NAME]))
    assert found.rows == {}
    assert [(scope, reason) for scope, reason, _ in found.gaps] == [
        ("__cluster_metadata-0/checkpoint", "unsettled")
    ]


def test_a_registration_is_a_row_with_features_and_log_dirs_in_order() -> None:
    _, rows = landed(read(NAME, recorded("4.1.0").read_bytes()))
    stopped = next(row for row in rows if row["registered_id"] == 2)
    names = [feature["name"] for feature in stopped["features"]]
    assert len(rows) == 3
    assert names == sorted(names)
    assert stopped | {"features": stopped["features"][:1]} == {
        "broker_id": 101,
        "path": "/d0",
        "registered_id": 2,
        "epoch": 12,
        "incarnation_id": "qtLbBuc7TNag_hfLZDzJug",
        "endpoints": ["PLAINTEXT://127.0.0.1:25986"],
        "security_protocols": [{"listener": "PLAINTEXT", "protocol": "PLAINTEXT"}],
        "features": [{"name": "eligible.leader.replicas.version", "min_version": 0, "max_version": 1}],
        "rack": "rack-2",
        "fenced": True,
        "in_controlled_shutdown": True,
        "is_migrating": False,
        "log_dirs": ["KnsBqZyTZgIRjAulx7hhuA", "QxvdoZcmiwzmb-0Wta6-cw"],
    }


def test_the_gaps_stand_where_the_tables_say_their_rows_do() -> None:
    place = "/{broker_id}{path}/__cluster_metadata-0/checkpoint"
    assert METADATA_CHECKPOINTS.scopes == {"log_dirs": place}
    assert CHECKPOINT_BROKERS.scopes == {"log_dirs": f"{place}/brokers"}
