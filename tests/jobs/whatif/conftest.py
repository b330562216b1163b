"""A small cluster to ask about: what is written of it is told by name."""

from collections.abc import Callable
from typing import Any

import pytest

from jobs.lake.read import LakeReader, open_reader

FIRST = "20261121T000000Z"


@pytest.fixture
def cluster(lake: Any) -> Callable[..., LakeReader]:
    """`cluster({"orders-0": {...}}, brokers=[1, 2], configs={...})`: a reader of a lake with these partitions.

    `configs` are values by (scope, entity, name), `gaps` those of the snapshot, and other words tables with their rows.
    """

    def write(
        partitions: dict[str, dict[str, Any]],
        brokers: tuple[int, ...] = (1, 2, 3),
        fenced: tuple[int, ...] = (),
        configs: dict[tuple[str, str, str], str] | None = None,
        gaps: tuple[tuple[str, str, str, str], ...] = (),
        **tables: list[dict[str, Any]],
    ) -> LakeReader:
        for name, columns in partitions.items():
            topic, _, number = name.rpartition("-")
            lake.change("partitions", FIRST, "keyframe", FIRST, topic=topic, partition=int(number), **columns)
        for broker_id in brokers:
            of_broker = {"broker_id": broker_id, "rack": f"rack-{broker_id}", "fenced": broker_id in fenced}
            lake.change("brokers", FIRST, "keyframe", FIRST, **of_broker)
        for (scope, entity, name), value in (configs or {}).items():
            row = {"scope": scope, "entity": entity, "name": name, "value": value}
            lake.change("configs", FIRST, "keyframe", FIRST, **row)
        for table, rows in tables.items():
            for row in rows:
                lake.change(table, FIRST, "keyframe", FIRST, **row)
        lake.commit(FIRST, *gaps)
        return open_reader(lake.storage, [lake.cluster])

    return write
