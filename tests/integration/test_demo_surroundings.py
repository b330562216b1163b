"""What a demo does to the folder and the machine it is run on: it takes no folder of another, and leaves nothing running."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil

VARVE = str(Path(sys.executable).with_name("varve"))


def test_a_folder_that_no_demo_left_is_not_touched(tmp_path: Path) -> None:
    (tmp_path / "precious.txt").write_text("mine")
    told = subprocess.run(
        [VARVE, "demo", "--dir", str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert told.returncode == 2
    assert "is not empty and no demo left it" in told.stderr
    assert (tmp_path / "precious.txt").read_text() == "mine"


def test_a_demos_folder_in_which_somebody_named_his_own_cluster_is_not_touched(tmp_path: Path) -> None:
    (tmp_path / "varve.yaml").write_text(
        "# Written by `varve demo`. The clusters named here ended with it; the lake stays.\n"
        "lake: ./lake\nclusters: [{name: orders, kafka: {bootstrap_servers: 'b1:9092'}}]\n"
    )
    told = subprocess.run(
        [VARVE, "demo", "--dir", str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert told.returncode == 2
    assert "is not empty and no demo left it" in told.stderr
    assert (tmp_path / "varve.yaml").exists()


def test_interrupted_it_ends_everything_it_started(tmp_path: Path) -> None:
    demo = subprocess.Popen(
        [VARVE, "demo", "--dir", str(tmp_path / "demo")],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    started = _servers_of(demo.pid)
    demo.send_signal(signal.SIGINT)
    _, told = demo.communicate(timeout=60)
    assert demo.returncode == 130
    assert "Traceback" not in told
    psutil.wait_procs(started, timeout=10)
    assert [process for process in started if _command(process)] == []


def _servers_of(pid: int) -> list[psutil.Process]:
    """The demo's JVMs, as soon as some broker runs."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        children = psutil.Process(pid).children(recursive=True)
        if any("kafka.Kafka" in _command(child) for child in children):
            return children
        time.sleep(0.2)
    os.kill(pid, signal.SIGKILL)
    raise AssertionError("no broker was started within a minute")


def _command(process: psutil.Process) -> list[str]:
    """What a process runs: nothing once it has ended, waited for or not."""
    try:
        return process.cmdline()
    except psutil.NoSuchProcess:
        return []
