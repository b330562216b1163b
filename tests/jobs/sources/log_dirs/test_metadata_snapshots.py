import pytest

from jobs.sources.log_dirs.formats.java_text import ParseError
from jobs.sources.log_dirs.formats.metadata_snapshots import (
    SnapshotName,
    newest_finished,
    parse_snapshot_name,
)

ID = "00000000000000000042-0000000003"


@pytest.mark.parametrize(
    ("name", "status"),
    [
        (f"{ID}.checkpoint", "finished"),
        (f"{ID}-8731.checkpoint.part", "part"),
        (f"{ID}.checkpoint.deleted", "deleted"),
    ],
)
def test_a_name_is_an_end_offset_an_epoch_and_how_far_the_file_is(name: str, status: str) -> None:
    assert parse_snapshot_name(name) == SnapshotName(42, 3, status)


@pytest.mark.parametrize(
    "name", ["leader-epoch-checkpoint", "quorum-state", f"{ID}.snapshot", f"{ID}.checkpoint.tmp"]
)
def test_other_files_are_no_snapshots(name: str) -> None:
    assert parse_snapshot_name(name) is None


@pytest.mark.parametrize("name", ["x.checkpoint", "bootstrap.checkpoint", "7-1.checkpoint"])
def test_a_name_without_the_two_numbers_is_refused(name: str) -> None:
    with pytest.raises(ParseError, match="NumberFormatException"):
        parse_snapshot_name(name)


def test_the_newest_has_the_highest_end_offset_and_then_epoch_and_is_finished() -> None:
    names = [
        "00000000000000000009-0000000001.checkpoint",
        "00000000000000000009-0000000002.checkpoint",
        "00000000000000000007-0000000004.checkpoint",
        "00000000000000000012-0000000004.checkpoint.part",
        "00000000000000000013-0000000004.checkpoint.deleted",
        "bootstrap.checkpoint",
    ]
    assert newest_finished(names) == "00000000000000000009-0000000002.checkpoint"
    assert newest_finished(names[3:]) is None
