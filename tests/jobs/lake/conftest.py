"""A lake of two snapshots, which several files read."""

from datetime import UTC, datetime
from typing import Any

import pytest

from jobs.lake.read import open_reader

FIRST, SECOND, THIRD = "20261121T000000Z", "20261121T001000Z", "20261121T002000Z"
AT_FIRST = datetime(2026, 11, 21, 0, 0, 5, tzinfo=UTC)
AT_SECOND = datetime(2026, 11, 21, 0, 10, 5, tzinfo=UTC)
AT_THIRD = datetime(2026, 11, 21, 0, 20, 5, tzinfo=UTC)


def topics(lake: Any, at: datetime | str | None = None) -> list[tuple[Any, ...]]:
    return (
        open_reader(lake.storage, ["orders"], at)
        .query("SELECT topic, partitions FROM topics ORDER BY topic")
        .rows
    )


@pytest.fixture
def two_snapshots(lake: Any) -> Any:
    """Topic a stays, b gains a partition, c is deleted, d is created."""
    for topic in "abc":
        lake.change("topics", FIRST, "keyframe", FIRST, topic=topic, partitions=1)
    lake.commit(FIRST)
    lake.change("topics", SECOND, "update", FIRST, topic="b", partitions=2)
    lake.change("topics", SECOND, "delete", FIRST, topic="c", partitions=1)
    lake.change("topics", SECOND, "create", FIRST, topic="d", partitions=4)
    lake.commit(SECOND)
    return lake
