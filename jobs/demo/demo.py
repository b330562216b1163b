"""Runs the demo: starts the clusters, plays the acts, takes the snapshots and ends every process."""

import shutil
import signal
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import yaml
from pyspark.sql import SparkSession
from rich.console import Console

from jobs.demo.acts import BROKERS, CHROOT, KRAFT_ACTS, ZOOKEEPER_ACTS, Act
from jobs.demo.tell import tell
from jobs.errors import UsageError
from jobs.lab.cluster import KafkaCluster
from jobs.lab.kraft_mode import KRaftCluster
from jobs.lab.zookeeper_mode import ZooKeeperCluster
from jobs.lake.snapshot_id import snapshot_id_at
from jobs.machine.session import spark_session
from jobs.process import process
from jobs.process.snapshot import collect_all
from jobs.report import write_report
from jobs.settings import Settings, load_settings
from jobs.storage import Location

ZOOKEEPER_MODE, KRAFT_MODE = "zookeeper-mode", "kraft-mode"
_SETTINGS_FILE = "varve.yaml"
_HEADER = "# Written by `varve demo`. The clusters named here ended with it; the lake stays.\n"


def run(directory: Path) -> None:
    """Play every act and leave `varve.yaml`, `lake` and `report` in `directory`.

    Raises UsageError when `directory` holds anything but an earlier demo.
    """
    console = Console(highlight=False)
    begun = time.monotonic()
    _make_room(directory)
    with (
        _ends_on_sigterm(),
        tempfile.TemporaryDirectory(prefix="varve-demo-") as servers,
        ThreadPoolExecutor(1) as background,
    ):
        spark = background.submit(spark_session, "demo")
        zookeeper_mode = ZooKeeperCluster(Path(servers) / ZOOKEEPER_MODE, brokers=BROKERS, chroot=CHROOT)
        kraft_mode = KRaftCluster(Path(servers) / KRAFT_MODE, controllers=1, brokers=2)
        entries = [zookeeper_mode.settings(ZOOKEEPER_MODE), kraft_mode.settings(KRAFT_MODE)]
        stage = Stage(console, _write_settings(directory, entries), spark)
        stage.play(ZOOKEEPER_MODE, zookeeper_mode, ZOOKEEPER_ACTS)
        stage.play(KRAFT_MODE, kraft_mode, KRAFT_ACTS)
    _say_goodbye(console, directory, stage.reports, time.monotonic() - begun)


class Stage:
    """Plays acts and snapshots them, with one lake, one Spark session and one console."""

    def __init__(self, console: Console, settings: Settings, spark: Future[SparkSession]) -> None:
        self.reports: list[Location] = []
        self._console = console
        self._settings = settings
        self._spark = spark

    def play(self, name: str, cluster: KafkaCluster, acts: Sequence[Act[Any]]) -> None:
        """Start the cluster, play its acts, end it and write its report."""
        self._console.rule(f"[bold]{name}", align="left")
        with self._console.status("Starting Kafka …"):
            cluster.__enter__()
        try:
            for act in acts:
                self._console.print(f"[bold]{act.title}.[/bold] {act.story}", soft_wrap=True)
                with self._console.status(f"{act.title} …") as status:
                    act.happens(cluster)
                    self._snapshot(name, is_last=act is acts[-1], say=status.update)
                tell(self._console, self._settings.lake, name)
        finally:
            cluster.close()
        self.reports.append(write_report(self._settings, name))

    def _snapshot(self, name: str, *, is_last: bool, say: Any) -> None:
        snapshot_id = snapshot_id_at(datetime.now(UTC))
        say(f"Snapshot {snapshot_id}: collecting …")
        collect_all(self._settings, name, snapshot_id)
        say(f"Snapshot {snapshot_id}: processing …")
        process(self._settings, name, snapshot_id, self._spark.result(), expect=is_last)


def _make_room(directory: Path) -> None:
    """Remove what an earlier demo left, and nothing else."""
    if directory.exists() and any(directory.iterdir()):
        if not _is_of_a_demo(directory / _SETTINGS_FILE):
            raise UsageError(f"{directory} is not empty and no demo left it: name another folder with --dir")
        shutil.rmtree(directory)
    directory.mkdir(parents=True, exist_ok=True)


def _is_of_a_demo(settings: Path) -> bool:
    """Whether a demo wrote the settings, and nobody named another cluster in them since."""
    if not settings.is_file() or not settings.read_text(encoding="utf-8").startswith(_HEADER):
        return False
    return {cluster.name for cluster in load_settings(settings).clusters} <= {ZOOKEEPER_MODE, KRAFT_MODE}


def _write_settings(directory: Path, clusters: list[dict[str, Any]]) -> Settings:
    path = directory / _SETTINGS_FILE
    path.write_text(_HEADER + yaml.safe_dump({"lake": "./lake", "clusters": clusters}, sort_keys=False))
    return load_settings(path)


@contextmanager
def _ends_on_sigterm() -> Iterator[None]:
    """Makes SIGTERM end every process, as Ctrl-C does."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _say_goodbye(console: Console, directory: Path, reports: list[Location], seconds: float) -> None:
    varve = f"varve --config {directory / _SETTINGS_FILE}"
    console.rule("[bold]What is left for you", align="left")
    console.print(
        f"The demo took {seconds / 60:.1f} minutes and ended every process it started. Its reports:"
    )
    for report in reports:
        console.print(f"  {report}", soft_wrap=True)
    console.print("Ask the lake, in this folder and after `. .venv/bin/activate`:")
    for question in (
        "events --since -1h",
        "history partition audit-1",
        "status",
    ):
        console.print(f"  {varve} {question}", soft_wrap=True, markup=False)
