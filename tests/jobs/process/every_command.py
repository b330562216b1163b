"""Calls every command of `varve` on the lakes of some settings files, one after the other, with one Spark.

The files are the arguments, those of lakes in an object store first: the session is made for the first. Prints as JSON,
for each file, what each call gave: its words, exit code, stdout and stderr. The last line of stdout is that JSON.
"""

import io
import json
import sys
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

from jobs.cli import main
from jobs.settings import load_settings
from tests.jobs.process.conftest import land_recorded

BUNDLE = Path(__file__).parents[2] / "data/zookeeper/data-folder-3.8.4"
SNAPSHOTS = [f"20261121T14{minute}000Z" for minute in range(6)]
RECORDED = ("healthy", "broker_killed", "broker_killed", "healthy")
KILLED, LAST = SNAPSHOTS[1], SNAPSHOTS[4]

Call = tuple[str, ...]
"""The words of a call of `varve`."""

_ONLY = ("--cluster", "orders")
_JSON = ("--format", "json")
_TIMELINES = ("isr_spells", "offline_spells", "under_replicated_spells", "leader_counts", "sessions", "terms")

_SINCE = ("2026-11-21T14:01", "2026-11-21T14:31")
_QUESTIONS: tuple[Call, ...] = (
    ("status",),
    ("status", *_JSON),
    ("findings",),
    ("findings", "--all", *_JSON),
    ("findings", "--since", _SINCE[0]),
    ("findings", *_ONLY, "--fail-on", "warning"),
    ("events", "--since", _SINCE[0]),
    ("events", "--since", _SINCE[0], "--until", _SINCE[1], *_JSON, *_ONLY),
    ("diff", *_SINCE, *_ONLY),
    ("diff", SNAPSHOTS[0], KILLED, *_ONLY, *_JSON),
    ("diff", "--cluster", "orders", "--with-cluster", "bundled"),
    ("history", "partition", "orders-0", *_ONLY),
    ("history", "broker", "2", *_ONLY, *_JSON),
    ("sql", "SELECT * FROM partitions ORDER BY ALL", *_JSON, *_ONLY),
    ("sql", "SELECT * FROM partitions ORDER BY ALL", *_JSON, *_ONLY, "--at", KILLED),
    ("sql", "SELECT * FROM partitions_history ORDER BY ALL", *_JSON, *_ONLY),
    ("sql", "SELECT * FROM partitions_at('2026-11-21 14:15') ORDER BY ALL", *_JSON, *_ONLY),
    *(("sql", f"SELECT * FROM {name} ORDER BY ALL", *_JSON, *_ONLY) for name in _TIMELINES),
    ("sql", "--engine", "spark", "SELECT topic, partition, leader FROM partitions ORDER BY 1, 2", *_JSON),
    ("sql", "--explain-view", "partitions"),
    ("whatif", *_ONLY),
    ("whatif", "--broker", "1", *_ONLY, *_JSON),
    ("gate", "roll", *_ONLY),
    ("gate", "controller-move", *_ONLY, *_JSON),
    ("gate", "migrate", *_ONLY, "--max-age", "9999h"),
    ("plan", "topic-id"),
    ("runbook", "under-replicated-partition", "orders-0", *_ONLY),
)


def calls(config: Path) -> Iterator[Call]:
    """The calls in their order; between them lands what the next ones process."""
    lake = load_settings(config).lake
    for recorded, snapshot_id in zip(RECORDED, SNAPSHOTS, strict=False):
        land_recorded(
            lake, recorded, snapshot_id, brokers=(1, 2) if snapshot_id == SNAPSHOTS[3] else (1, 2, 3)
        )
    yield "process", "orders", "--snapshot-id", SNAPSHOTS[3]
    yield "dismiss", "orders", "/3"
    yield "dismiss", "orders", "/2"
    land_recorded(lake, "broker_killed", LAST, brokers=(1, 2))
    yield "process", "orders"
    yield "process", "orders"
    yield "process", "orders", "--snapshot-id", KILLED
    yield "import", str(BUNDLE), "--cluster", "bundled", "--at", "2026-11-21T14:00"
    yield "import", str(BUNDLE), "--cluster", "bundled", "--at", "2026-11-21T14:00"
    yield "collect", "disks", "log_dirs", "--snapshot-id", SNAPSHOTS[0]
    yield "process", "disks", "--snapshot-id", SNAPSHOTS[0]
    yield "snapshot", "disks", "--snapshot-id", SNAPSHOTS[1]
    yield "snapshot", "disks", "--snapshot-id", SNAPSHOTS[1]
    yield "collect", "disks", "log_dirs", "--snapshot-id", SNAPSHOTS[2]
    yield "snapshot", "disks", "--abandon", SNAPSHOTS[2]
    yield from _QUESTIONS
    yield ("report",)
    yield "maintain", "--dry-run"
    yield ("maintain",)
    yield "rebuild", "orders"
    yield "rebuild", "disks", "--table", "topics"
    yield ("status",)
    yield "findings", "--all", *_JSON
    yield "sql", "SELECT * FROM events ORDER BY ALL", *_JSON
    yield "maintain", "orders"
    yield "sql", "SELECT topic, partition, isr FROM partitions_history ORDER BY ALL", *_JSON, *_ONLY
    yield "doctor", *_JSON


def call(config: Path, words: Call) -> tuple[Call, int, str, str]:
    """How a call ended, and what it wrote."""
    code = 0
    with redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()) as err:
        try:
            main(("--config", str(config), *words))
        except SystemExit as ended:
            code = int(ended.code or 0)
    print(code, *words, file=sys.stderr)
    return words, code, out.getvalue(), err.getvalue()


if __name__ == "__main__":
    sys.stdin = io.StringIO()
    print(json.dumps([[call(path, words) for words in calls(path)] for path in map(Path, sys.argv[1:])]))
