"""Somebody who reads a lake all the time, while the snapshots of `tests.jobs.process.writer` come into it."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from threading import Event
from typing import Any

from jobs.lake.read import NoSnapshotError, open_reader
from jobs.settings import Settings
from jobs.storage import open_storage
from tests.jobs.process.writer import id_of

PAUSE = 0.5
"""Seconds between two questions."""
SEEN = (
    "SELECT (SELECT list(snapshot_id ORDER BY snapshot_id) FROM snapshots), "
    "(SELECT list(broker_id ORDER BY broker_id) FROM brokers), "
    "(SELECT count(*) FROM partitions WHERE leader = -1), "
    "(SELECT count(*) FROM findings WHERE status = 'open' AND severity <> 'info'), "
    "(SELECT count(*) FROM partitions_history WHERE topic = 'audit' AND partition = 1), "
    "(SELECT list({'snapshot_id': snapshot_id, 'events': events} ORDER BY snapshot_id) FROM "
    "(SELECT snapshot_id, count(*) AS events FROM events GROUP BY snapshot_id))"
)
NOW = (([1, 2, 3], 0, 0), ([1, 3], 3, 6))
"""After `healthy` and after `broker_killed`: the brokers, the partitions without a leader, the open findings above info."""
EVENTS = (11, 11)
"""How many events each of them makes."""


@contextmanager
def onlooker(settings: Settings) -> Iterator[list[tuple[Any, ...]]]:
    """Somebody who asks for what is SEEN; gives what was answered, the newest last."""
    answers: list[tuple[Any, ...]] = []
    ended = Event()

    def read() -> None:
        is_last = False
        while not is_last:
            is_last = ended.wait(PAUSE)
            with suppress(NoSnapshotError):
                answers.extend(ask(settings, SEEN))

    with ThreadPoolExecutor() as pool:
        reading = pool.submit(read)
        try:
            yield answers
        finally:
            ended.set()
            reading.result()


def is_whole(answer: tuple[Any, ...]) -> bool:
    """Whether all of an answer is of the newest snapshot that it names, and of every one before it."""
    snapshots, *now, history, events = answer
    numbers = range(len(snapshots))
    return (
        snapshots == [id_of(number) for number in numbers]
        and tuple(now) == NOW[numbers[-1] % 2]
        and history == len(snapshots)
        and (events or [])
        == [{"snapshot_id": id_of(number), "events": EVENTS[number % 2]} for number in numbers[1:]]
    )


def ask(settings: Settings, sql: str) -> list[tuple[Any, ...]]:
    return open_reader(open_storage(settings.lake), ["orders"]).query(sql).rows
