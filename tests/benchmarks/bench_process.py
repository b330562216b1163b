"""What `process` costs: a small cluster from process start and in a warm session, and a large one.

The small one is real, three brokers that live through the loss of one. No cluster of 200,000 partitions fits here, so
what its sources would land is made up: 200,000 partitions, 600,000 replicas on disk, of which one in a thousand
changes between the two snapshots.
"""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import yaml

from jobs.demo import acts
from jobs.lab.zookeeper_mode import ZooKeeperCluster
from jobs.lake.read import open_reader
from jobs.landing.collect import Part, land
from jobs.landing.landing import Landing
from jobs.process.snapshot import collect_all
from jobs.settings import Settings, load_settings
from jobs.storage import open_storage
from schemas.registry import tables
from schemas.table import Column

Record = Callable[[str, dict[str, float]], None]
SNAPSHOTS = [f"20261121T14{minute:02}00Z" for minute in range(0, 50, 10)]
CLUSTER = "big"
TOPICS, PARTITIONS, BROKERS = 2_000, 100, 30
AT = datetime(2026, 11, 21, tzinfo=UTC)

PROCESS = """
import json, sys, threading, time
from pathlib import Path
import psutil

def family():
    # Each process that runs now: whether it is a JVM, its CPU seconds and its bytes; one that just ended is left out.
    me = psutil.Process()
    for each in [me, *me.children(recursive=True)]:
        try:
            yield each.name() == "java", sum(each.cpu_times()[:2]), each.memory_info().rss
        except psutil.NoSuchProcess:
            continue

def cpu():
    return sum(seconds for _, seconds, _ in family())

def watch(peak):
    while True:
        sizes = [(is_jvm, size) for is_jvm, _, size in family()]
        peak["all"] = max(peak["all"], sum(size for _, size in sizes))
        peak["jvm"] = max(peak["jvm"], sum(size for is_jvm, size in sizes if is_jvm))
        time.sleep(0.5)

begun, peak = psutil.Process().create_time(), {"all": 0, "jvm": 0}
threading.Thread(target=watch, args=(peak,), daemon=True).start()
from pyspark.sql import SparkSession
from jobs.process import pipeline, process
from jobs.settings import load_settings

def timed(step):
    def run(*given):
        begun = time.time()
        answer = step(*given)
        judging.append(time.time() - begun)
        return answer
    return run

pipeline.write_events, pipeline.write_findings = timed(pipeline.write_events), timed(pipeline.write_findings)
settings, cluster, *snapshots = sys.argv[1:]
figures, judging = [], []
for snapshot_id in snapshots:
    wall, used = time.time() if figures else begun, cpu() if figures else 0
    process(load_settings(Path(settings)), cluster, snapshot_id, SparkSession.getActiveSession())
    figures.append([time.time() - wall, cpu() - used, peak["all"] / 2**30, peak["jvm"] / 2**30, sum(judging)])
    judging.clear()
print(json.dumps(figures))
"""


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The settings of a small cluster that landed five snapshots: all is well, a broker dies, returns, twice nothing."""
    home = tmp_path_factory.mktemp("small")
    with ZooKeeperCluster(home / "servers", brokers=3, chroot=acts.CHROOT) as cluster:
        settings = _settings(home, cluster.settings("orders"))
        for snapshot_id, act in zip(SNAPSHOTS, acts.ZOOKEEPER_ACTS[:3], strict=False):
            act.happens(cluster)
            collect_all(settings, "orders", snapshot_id)
        for snapshot_id in SNAPSHOTS[3:]:
            collect_all(settings, "orders", snapshot_id)
    return home / "varve.yaml"


def test_process_of_a_small_cluster(small: Path, record: Record) -> None:
    first, second, third, fourth, fifth = processed(small, "orders", SNAPSHOTS)
    record(
        "process of a small cluster",
        {
            "first s from process start (at most 30)": first[0],
            "first CPU s": first[1],
            "changed, warm s (at most 10)": min(second[0], third[0]),
            "changed, warm CPU s": min(second[1], third[1]),
            "unchanged, warm s": min(fourth[0], fifth[0]),
            "unchanged, warm CPU s": min(fourth[1], fifth[1]),
        },
    )


def test_process_of_200_000_partitions(
    tmp_path: Path, record: Record, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And of a tenth of them: what ten times the partitions cost."""
    first, second = _large(tmp_path / "large")
    looked_back = _looked_back(tmp_path / "large")
    monkeypatch.setattr(sys.modules[__name__], "TOPICS", TOPICS // 10)
    tenth_first, tenth_second = _large(tmp_path / "tenth")
    record(
        "process of 200,000 partitions",
        {
            "first s from process start": first[0],
            "first CPU s": first[1],
            "second s": second[0],
            "second CPU s": second[1],
            "events and checks, of the first s (at most 60)": first[4],
            "events and checks, of the second s (at most 60)": second[4],
            "events and checks, over those of a tenth": second[4] / tenth_second[4],
            "peak GiB of all processes": second[2],
            "peak GiB of the JVM (at most 3.1)": second[3],
            "first CPU s, over that of a tenth (at most 11)": first[1] / tenth_first[1],
            "second CPU s, over that of a tenth (at most 11)": second[1] / tenth_second[1],
            "looking back CPU s, over that of a tenth (at most 11)": looked_back
            / _looked_back(tmp_path / "tenth"),
        },
    )


def _large(home: Path) -> list[list[float]]:
    """The figures of `processed` for two snapshots of a cluster of so many topics as TOPICS says."""
    land_large(settings_in(home))
    return processed(home / "varve.yaml", CLUSTER, SNAPSHOTS[:2])


def land_large(settings: Settings) -> None:
    """Land two snapshots of a cluster of so many topics as TOPICS says."""
    for turn, snapshot_id in enumerate(SNAPSHOTS[:2]):
        for source, read in (("kafka", _kafka), ("log_dirs", _log_dirs)):
            land(
                settings, Part(CLUSTER, source, snapshot_id), partial(read, turn), AT.replace(hour=14 + turn)
            )


def _looked_back(home: Path) -> float:
    """CPU seconds to read the partitions and the replicas on disk as they were at the first snapshot."""
    storage, begun = open_storage(home / "lake"), time.process_time()
    for table in ("partitions", "disk_replicas"):
        with open_reader(storage, [CLUSTER]).batches(
            f"SELECT * FROM {table}_at('{AT.replace(hour=14)}')"
        ) as rows:
            rows.read_all()
    return time.process_time() - begun


def settings_in(home: Path, place: Mapping[str, Any] | None = None, **history: Any) -> Settings:
    """The settings of a made-up cluster, in a new folder; its lake lies in that folder, or where `place` says."""
    home.mkdir()
    cluster = {
        "name": CLUSTER,
        "kafka": {"bootstrap_servers": "127.0.0.1:1"},
        "log_dirs": [{"broker": broker, "local": ["/d0"]} for broker in range(BROKERS)],
    }
    return _settings(home, cluster, place, **history)


def _settings(
    home: Path, cluster: dict[str, Any], place: Mapping[str, Any] | None = None, **history: Any
) -> Settings:
    written = {"lake": "./lake", **(place or {}), "history": history, "clusters": [cluster]}
    (home / "varve.yaml").write_text(yaml.safe_dump(written))
    return load_settings(home / "varve.yaml")


def processed(settings: Path, cluster: str, snapshots: list[str]) -> list[list[float]]:
    """For each snapshot, in one session: seconds, CPU seconds, the peaks of memory in GiB, of all and of the JVM, and the
    seconds of events and checks together.
    """
    told = subprocess.run(
        [sys.executable, "-c", PROCESS, str(settings), cluster, *snapshots],
        capture_output=True,
        text=True,
        check=True,
    )
    figures: list[list[float]] = json.loads(told.stdout.splitlines()[-1])
    return figures


def _kafka(turn: int, landing: Landing) -> None:
    _cluster(landing)
    landing.rows("admin_partitions", _partitions(turn))


def _cluster(landing: Landing) -> None:
    """What the Kafka API tells beside the partitions."""
    names = [f"topic-{topic}" for topic in range(TOPICS)]
    landing.rows("admin_cluster", [_row("admin_cluster", cluster_id="AAAAAAAAAAAAAAAAAAAAAQ")])
    landing.rows("admin_brokers", [_row("admin_brokers", broker_id=each) for each in range(BROKERS)])
    landing.rows(
        "admin_topics",
        [_row("admin_topics", topic=name, topic_id=_id(topic)) for topic, name in enumerate(names)],
    )


def _partitions(turn: int) -> Iterator[tuple[Any, ...]]:
    for topic in range(TOPICS):
        for partition in range(PARTITIONS):
            replicas = [(topic + partition + place) % BROKERS for place in range(3)]
            isr = replicas[1:] if _changes(turn, topic, partition) else replicas
            yield _row(
                "admin_partitions",
                topic=f"topic-{topic}",
                partition=partition,
                replicas=replicas,
                isr=isr,
                leader=isr[0],
                leader_epoch=3 - len(isr),
            )


def _log_dirs(turn: int, landing: Landing) -> None:
    landing.rows("disk_replicas", _replicas("disk_replicas", turn))
    landing.rows("disk_offsets", _replicas("disk_offsets", turn))


def _replicas(table: str, turn: int) -> Iterator[tuple[Any, ...]]:
    for topic in range(TOPICS):
        for partition in range(PARTITIONS):
            epochs = [{"epoch": int(_changes(turn, topic, partition)), "start_offset": 0}]
            for place in range(3):
                yield _row(
                    table,
                    broker_id=(topic + partition + place) % BROKERS,
                    path="/d0",
                    dir_name=f"topic-{topic}-{partition}",
                    topic=f"topic-{topic}",
                    partition=partition,
                    kind="current",
                    topic_id=_id(topic),
                    leader_epochs=epochs,
                    high_watermark=topic + partition + turn,
                )


def _changes(turn: int, topic: int, partition: int) -> bool:
    return turn > 0 and (topic * PARTITIONS + partition) % 1_000 == 0


def _id(topic: int) -> str:
    return f"AAAAAAAAAAAAAAAAAA{topic:04d}"


def _row(table: str, **values: Any) -> tuple[Any, ...]:
    """A row of a table; what is required and not given is nothing much."""
    return tuple(values.get(column.name, _nothing(column)) for column in tables()[table].columns)


def _nothing(column: Column) -> Any:
    nothing = {"STRING": "x", "INT": 0, "BIGINT": 0, "BOOLEAN": False, "TIMESTAMP": AT}
    return nothing.get(column.type, []) if column.required else None
