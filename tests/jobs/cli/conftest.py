"""Calls `varve` as a person does, and a settings file beside a small lake."""

import fcntl
import io
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from jobs.cli import main

FIRST, SECOND = "20261121T000000Z", "20261121T001000Z"
_VARVE = str(Path(sys.executable).with_name("varve"))
_STYLE = re.compile(r"\x1b\[[\d;]*m")


class Ended(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture
def config(lake: Any) -> Path:
    """The settings file of the lake."""
    path = Path(lake.root.parent / "varve.yaml")
    path.write_text(
        "lake: ./lake\nclusters:\n"
        "  - {name: orders, zookeeper: {connect: '127.0.0.1:1/kafka'}}\n"
        "  - {name: billing, log_dirs: [{broker: 1, local: [/not/there]}]}\n"
    )
    return path


@pytest.fixture
def varve(
    config: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Ended]:
    """`varve(*words)` with the settings file of the lake and nothing on stdin; says how it ended."""
    monkeypatch.setenv("VARVE_CONFIG", str(config))
    monkeypatch.setattr("sys.stdin", io.StringIO())

    def call(*words: str) -> Ended:
        capsys.readouterr()
        try:
            main(words)
        except SystemExit as ended:
            return Ended(int(ended.code or 0), *capsys.readouterr())
        return Ended(0, *capsys.readouterr())

    return call


@pytest.fixture
def on_terminal(config: Path) -> Callable[..., list[str]]:
    """`on_terminal(columns, *words)`: the lines that `varve` prints on a terminal of that width, without its colours."""

    def call(columns: int, *words: str) -> list[str]:
        ours, its = pty.openpty()
        fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
        env = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "NO_COLOR")}
        env |= {"VARVE_CONFIG": str(config), "TERM": "xterm"}
        called = subprocess.Popen([_VARVE, *words], stdin=its, stdout=its, stderr=subprocess.DEVNULL, env=env)
        os.close(its)
        printed = b"".join(iter(lambda: _read(ours), b""))
        os.close(ours)
        assert called.wait(60) == 0
        assert b"\x1b[" in printed
        return [line.rstrip() for line in _STYLE.sub("", printed.decode()).splitlines()]

    return call


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65_536)
    except OSError:  # Linux says so when the other end is closed
        return b""


@pytest.fixture
def written(lake: Any) -> Any:
    """Two snapshots of orders: a topic with a warning, and a gap in the second."""
    lake.change("topics", FIRST, "keyframe", FIRST, topic="a", partitions=1)
    lake.commit(FIRST)
    finding: dict[str, Any] = {"severity": "warning", "status": "open", "evidence": "{}", "remedy": "look"}
    finding["first_seen_at"] = datetime(2026, 11, 21, 0, 10, 5, tzinfo=UTC)
    unseen = {"subject": "broker 2", "not_seen_since": datetime(2026, 11, 21, 0, 0, 5, tzinfo=UTC)}
    lake.change("findings", SECOND, "create", FIRST, check_id="leader-imbalance", **finding, **unseen)
    finding |= {"severity": "critical", "status": "resolved"}
    lake.change("findings", SECOND, "create", FIRST, check_id="offline-partition", subject="a-0", **finding)
    lake.commit(SECOND, ("zookeeper", "/config/users", "unauthorized", "no read right"))
    return lake
