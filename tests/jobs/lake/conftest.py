"""A lake of two snapshots, which several files read."""

from typing import Any

import pytest

FIRST, SECOND = "20261121T000000Z", "20261121T001000Z"


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
