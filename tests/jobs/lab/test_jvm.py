import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from jobs.lab.jvm import Jvm, LabError, wait_until

PATIENT = ["sleep", "600"]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Jvm]:
    server = Jvm("patient", PATIENT, tmp_path / "server.log")
    yield server
    server.kill()


def test_a_killed_server_is_gone_and_can_be_started_again(server: Jvm) -> None:
    server.start()
    first = server.pid
    assert psutil.pid_exists(first)
    server.kill()
    assert not server.running
    assert not psutil.pid_exists(first)
    server.start()
    assert server.running
    assert server.pid != first


def test_a_server_cannot_be_started_twice(server: Jvm) -> None:
    server.start()
    with pytest.raises(LabError, match="patient is running already"):
        server.start()


def test_waiting_for_a_server_that_dies_shows_the_end_of_its_log(tmp_path: Path) -> None:
    server = Jvm("broker-1", ["sh", "-c", "echo port is taken; exit 1"], tmp_path / "server.log")
    server.start()
    with pytest.raises(LabError, match=r"Waited for an answer, but broker-1 ended(.|\n)*port is taken"):
        wait_until("an answer", lambda: False, [server], 10)
    server.kill()


def test_waiting_ends_at_the_deadline(server: Jvm) -> None:
    server.start()
    with pytest.raises(LabError, match=r"Waited for an answer, but 0\.3 s went by"):
        wait_until("an answer", lambda: False, [server], 0.3)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_server_ends_with_the_process_that_started_it(how: signal.Signals, tmp_path: Path) -> None:
    code = (
        "import sys, time; from pathlib import Path; from jobs.lab.jvm import Jvm\n"
        f"server = Jvm('patient', {PATIENT!r}, Path(sys.argv[1])); server.start()\n"
        "print(server.pid, flush=True); time.sleep(600)"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "server.log")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        assert psutil.pid_exists(pid)
        parent.send_signal(how)
    deadline = time.monotonic() + 5
    while psutil.pid_exists(pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not psutil.pid_exists(pid)
