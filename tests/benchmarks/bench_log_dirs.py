"""Scanning a log dir of 20,000 partitions, landed, against `tar c` of the same files through a pipe."""

import subprocess
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from jobs.landing.landing import Landing
from jobs.secrets import Redactor
from jobs.sources.log_dirs.collect import collect
from jobs.sources.log_dirs.settings import Settings
from jobs.storage import open_storage

PARTITIONS = 20_000
ROUNDS = 3


def test_scan_against_tar(tmp_path: Path, record: Callable[[str, dict[str, float]], None]) -> None:
    log_dir = tmp_path / "d0"
    _make(log_dir)
    scans, tars = [], []
    for number in range(ROUNDS):
        tars.append(
            _seconds(lambda: subprocess.run(f"tar c {log_dir} | cat > /dev/null", shell=True, check=True))
        )
        landed = tmp_path / f"landing-{number}"
        landed.mkdir()
        scans.append(_seconds(partial(_scan, log_dir, landed)))
    record("log_dirs", {"scan_s": min(scans), "tar_s": min(tars), "scan_over_tar": min(scans) / min(tars)})


def _scan(log_dir: Path, folder: Path) -> None:
    landing = Landing(open_storage(folder), "log_dirs", Redactor(None))
    collect(Settings.model_validate([{"broker": 1, "local": [str(log_dir)]}]), landing)
    landing.flush()
    assert landing.counts["disk_replicas"] == PARTITIONS


def _make(log_dir: Path) -> None:
    log_dir.mkdir()
    (log_dir / "meta.properties").write_text("version=0\nbroker.id=1\ncluster.id=abcdefghijklmnopqrstuv\n")
    names = [f"topic-{number // 10}-{number % 10}" for number in range(PARTITIONS)]
    lines = "".join(f"{name.rpartition('-')[0]} {name.rpartition('-')[2]} 7\n" for name in names)
    for checkpoint in ("replication-offset-checkpoint", "recovery-point-offset-checkpoint"):
        (log_dir / checkpoint).write_text(f"0\n{PARTITIONS}\n{lines}")
    for name in names:
        replica = log_dir / name
        replica.mkdir()
        (replica / "partition.metadata").write_text("version: 0\ntopic_id: vV5u0_NiSR-iJzmV8S97dg")
        (replica / "leader-epoch-checkpoint").write_text("0\n1\n0 0\n")
        for suffix in ("log", "index", "timeindex"):
            (replica / f"00000000000000000000.{suffix}").touch()


def _seconds(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun
