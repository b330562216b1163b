"""Readers that go on while a lake is written, tidied and cut: each sees one snapshot, whole."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any

from jobs.lake.read import open_reader
from jobs.lake.snapshot_id import logical_time
from jobs.upkeep.retention import Retention
from jobs.upkeep.tidy import tidy
from schemas.registry import tables

IDS = [f"20261121T{hour:02}{minute:02}00Z" for hour in range(3) for minute in range(0, 60, 2)]
TOPICS = ("a", "b", "c")
ASKED = (
    "SELECT list(DISTINCT partitions), count(*), (SELECT max(snapshot_id) FROM snapshots), "
    "(SELECT count(*) FROM topics_history WHERE valid_to IS NULL) FROM topics"
)


def test_whoever_reads_meanwhile_sees_one_snapshot_whole(lake: Any) -> None:
    """Every snapshot gives each topic the number of the snapshot as its partitions; every tenth opens an era."""
    _write(lake, 0, IDS[0])
    ended = Event()
    with ThreadPoolExecutor() as pool:
        readers = [pool.submit(_read, lake, ended) for _ in range(2)]
        try:
            era = IDS[0]
            for number, snapshot_id in enumerate(IDS[1:], 1):
                era = _write(lake, number, era)
                if number % 12 == 0:
                    for name in ("topics", "snapshots"):
                        tidy(lake.storage, "orders", name)
                if number % 30 == 0:
                    _cut(lake, snapshot_id)
        finally:
            ended.set()
        answers = [answer for reader in readers for answer in reader.result()]
    assert len(answers) > 20
    for partitions, count, newest, open_rows in answers:
        assert (partitions, count, open_rows) == ([IDS.index(newest)], 3, 3)


def _write(lake: Any, number: int, era: str) -> str:
    """Append a snapshot, and at every tenth the keyframe of a new era; gives the era that is open then."""
    snapshot_id = IDS[number]
    rows = [{"topic": topic, "partitions": number} for topic in TOPICS]
    stamp = {"changed_at": logical_time(snapshot_id), "snapshot_id": snapshot_id, "written_by": snapshot_id}
    op = "update" if number else "keyframe"
    appended = [{**row, **stamp, "op": op, "era": era} for row in rows]
    if number and number % 10 == 0:
        era = snapshot_id
        appended += [{**row, **stamp, "op": "keyframe", "era": era} for row in rows]
    lake.append("topics", appended)
    lake.commit(snapshot_id, written_by=snapshot_id)
    return era


def _cut(lake: Any, snapshot_id: str) -> None:
    keep = Retention(lake.storage, "orders", logical_time(snapshot_id).replace(day=22), 1, 1)
    for part in keep.outdated(tables()["topics"]):
        keep.drop(part)


def _read(lake: Any, ended: Event) -> list[tuple[Any, ...]]:
    answers = []
    while not ended.is_set():
        (answer,) = open_reader(lake.storage, ["orders"]).query(ASKED).rows
        answers.append(answer)
    return answers
