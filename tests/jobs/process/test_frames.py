"""What a query over frames may need of the driver's memory."""

from pathlib import Path

from jobs.lake.sandbox import open_sandbox
from jobs.process.frames import answer

NAMES = (
    "SELECT repeat('a long name of a topic ', 20) || number AS topic FROM range(1_000_000) AS each(number)"
)


def test_a_list_too_long_for_little_memory_which_no_engine_spills_is_made_with_more(tmp_path: Path) -> None:
    with open_sandbox(spill_to=str(tmp_path)) as connection:
        rows = answer(connection, "SELECT len(list(topic)) AS listed FROM topics", lambda _: NAMES)
    assert rows["listed"].to_pylist() == [1_000_000]
