from collections.abc import Callable

Broken = Callable[..., dict[str, str | None]]


def test_a_block_of_one_producer_id_breaks_nothing_and_one_that_ends_before_it_begins_does(
    broken_by: Broken,
) -> None:
    assert broken_by("producer_id_block", {"block_start": 7, "block_end": 7}) == {}
    assert broken_by("producer_id_block", {"block_start": 1000, "block_end": 999}) == {
        "block_start is not after block_end": "1 row"
    }
