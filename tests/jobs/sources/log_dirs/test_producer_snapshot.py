import pytest

from jobs.sources.log_dirs.formats.producer_snapshot import producers


def test_the_name_is_an_offset_and_the_size_a_number_of_producers() -> None:
    assert producers("00000000000000000050.snapshot", 10 + 46 * 3) == (50, 3)
    assert producers("00000000000000000050.snapshot", 10) == (50, 0)


@pytest.mark.parametrize("size", [0, 9, 11, 10 + 46 - 1])
def test_a_snapshot_that_is_being_written_or_was_cut_off_tells_no_number(size: int) -> None:
    assert producers("00000000000000000050.snapshot", size) == (50, None)


@pytest.mark.parametrize(
    "name", ["", "50.snapshot", "00000000000000000050.snapshot.deleted", "99999999999999999999.snapshot"]
)
def test_a_name_that_kafka_did_not_give_tells_nothing(name: str) -> None:
    assert producers(name, 10) == (None, None)
