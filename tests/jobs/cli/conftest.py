"""Calls `varve` as a person does, and a settings file beside a small lake."""

import sys
from datetime import UTC, datetime
from typing import NamedTuple

import pytest

from jobs.cli import main

FIRST, SECOND = "20261121T000000Z", "20261121T001000Z"


class Ended(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture
def varve(lake, capsys, monkeypatch):
    """`varve(*words)` with the settings file of the lake; says how it ended."""
    settings = lake.root.parent / "varve.yaml"
    settings.write_text(
        "lake: ./lake\nclusters:\n"
        "  - {name: orders, zookeeper: {connect: '127.0.0.1:1/kafka'}}\n"
        "  - {name: billing, log_dirs: [{broker: 1, local: [/not/there]}]}\n"
    )
    monkeypatch.setenv("VARVE_CONFIG", str(settings))

    def call(*words):
        monkeypatch.setattr(sys, "argv", ["varve", *words])
        capsys.readouterr()
        try:
            main()
        except SystemExit as ended:
            return Ended(ended.code or 0, *capsys.readouterr())
        return Ended(0, *capsys.readouterr())

    return call


@pytest.fixture
def written(lake):
    """Two snapshots of orders: a topic with a warning, and a gap in the second."""
    lake.change("topics", FIRST, "keyframe", FIRST, topic="a", partitions=1)
    lake.commit(FIRST)
    finding = {"severity": "warning", "status": "open", "evidence": "{}", "remedy": "look"}
    finding["first_seen_at"] = datetime(2026, 11, 21, 0, 10, 5, tzinfo=UTC)
    unseen = {"subject": "broker 2", "not_seen_since": datetime(2026, 11, 21, 0, 0, 5, tzinfo=UTC)}
    lake.change("findings", SECOND, "create", FIRST, check_id="leader-imbalance", **finding, **unseen)
    finding |= {"severity": "critical", "status": "resolved"}
    lake.change("findings", SECOND, "create", FIRST, check_id="offline-partition", subject="a-0", **finding)
    lake.commit(SECOND, ("zookeeper", "/config/users", "unauthorized", "no read right"))
    return lake
