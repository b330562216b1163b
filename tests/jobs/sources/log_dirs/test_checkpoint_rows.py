from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from jobs.arrow import arrow_table
from jobs.sources.log_dirs.checkpoint_rows import checkpoint_broker_rows, metadata_checkpoint_row
from jobs.sources.log_dirs.metadata_checkpoint import Checkpoint, checkpoint_id, parse_metadata_checkpoint
from schemas.metadata_checkpoints import CHECKPOINT_BROKERS, METADATA_CHECKPOINTS
from schemas.table import Table

DATA = Path(__file__).parents[3] / "data/log_dirs"


def recorded(version: str) -> Path:
    """The newest checkpoint of the recorded controller."""
    return max((DATA / f"kraft-{version}").glob("**/*.checkpoint"))


def landed(table: Table, *rows: tuple[Any, ...]) -> list[dict[str, Any]]:
    """The rows as they land: they must fit the table's columns."""
    found: list[dict[str, Any]] = arrow_table(table.columns, rows).to_pylist()
    return found


def row_of(file: Path, content: Checkpoint | str) -> dict[str, Any]:
    found = checkpoint_id(file.name)
    assert found
    (row,) = landed(METADATA_CHECKPOINTS, metadata_checkpoint_row(101, "/d0", found, 1494, content))
    return row


def test_a_whole_checkpoint_says_as_of_when_it_is_and_what_is_in_it() -> None:
    file = recorded("3.9.1")
    assert row_of(file, parse_metadata_checkpoint(file.read_bytes())) == {
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
    file = recorded("3.3.2")
    row = row_of(file, parse_metadata_checkpoint(file.read_bytes()))
    assert (row["kraft_version"], row["voters"]) == (0, None)


def test_a_record_type_that_is_newer_is_a_number() -> None:
    file = recorded("4.1.0")
    content = parse_metadata_checkpoint(file.read_bytes())
    content.records[99] += 2
    assert row_of(file, content)["records"][-1] == {"type": "99", "count": 2}


def test_of_a_malformed_checkpoint_only_its_name_and_size_are_told() -> None:
    row = row_of(recorded("3.9.1"), "there is no SnapshotFooter")
    known = {name: value for name, value in row.items() if value is not None}
    assert known == {
        "broker_id": 101,
        "path": "/d0",
        "end_offset": 47,
        "epoch": 1,
        "bytes": 1494,
        "problem": "there is no SnapshotFooter",
    }


def test_a_registration_is_a_row_with_features_and_log_dirs_in_order() -> None:
    content = parse_metadata_checkpoint(recorded("4.1.0").read_bytes())
    rows = landed(CHECKPOINT_BROKERS, *checkpoint_broker_rows(101, "/d0", content))
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
