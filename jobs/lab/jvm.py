"""Java programs in the background; they end with this process, also when it is killed."""

import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from jobs.errors import VarveError
from jobs.machine.java import find_java

_FLAGS = ("-Xms64m", "-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto")
_QUIET = "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn"
_TAIL_LINES = 15
_TOOL_TIMEOUT_S = 60
# It reads from a pipe that closes when this process dies, even by SIGKILL.
_GUARD = "read _; kill -9 $0 2>/dev/null"


class LabError(VarveError):
    """A server or a tool of the lab did not do what it should; the message ends with the last lines of its log."""


def java_command(jars: Sequence[Path], main: str, *arguments: str) -> list[str]:
    """The command that runs class `main` from `jars`, small and quick to start, quiet unless something is wrong."""
    classpath = ":".join(str(jar) for jar in jars)
    return [str(find_java()), *_FLAGS, _QUIET, "-cp", classpath, main, *arguments]


def run_tool(jars: Sequence[Path], main: str, *arguments: str) -> str:
    """Run a Java tool to its end and give what it printed. Raises LabError when it fails."""
    command = java_command(jars, main, *arguments)
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_TOOL_TIMEOUT_S, check=False)
    except subprocess.TimeoutExpired as error:
        raise LabError(f"{main} {' '.join(arguments)} did not end within {_TOOL_TIMEOUT_S} s") from error
    if done.returncode != 0:
        raise LabError(f"{main} {' '.join(arguments)} failed:\n{_tail(done.stdout + done.stderr)}")
    return done.stdout


class Jvm:
    """A server: it can be started, stopped, killed and started again. Its output goes to `log`."""

    def __init__(self, name: str, command: Sequence[str], log: Path) -> None:
        self.name = name
        self.log = log
        self._command = command
        self._process: subprocess.Popen[bytes] | None = None
        self._guard: subprocess.Popen[bytes] | None = None

    @property
    def running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @property
    def pid(self) -> int:
        """The process id. Raises LabError when it was never started."""
        if self._process is None:
            raise LabError(f"{self.name} was not started")
        return self._process.pid

    def start(self) -> None:
        """Start it; it is not yet ready then."""
        if self.running:
            raise LabError(f"{self.name} is running already (process {self.pid})")
        self.log.parent.mkdir(parents=True, exist_ok=True)
        with self.log.open("ab") as log:
            # In a session of its own Ctrl-C does not reach it: the lab ends its servers itself, one after the other.
            self._process = subprocess.Popen(
                self._command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
            )
        guard = ["sh", "-c", _GUARD, str(self.pid)]
        self._guard = subprocess.Popen(guard, stdin=subprocess.PIPE, start_new_session=True)

    def kill(self) -> None:
        """End it at once, as a power cut would (SIGKILL)."""
        if self._process is not None:
            self._process.kill()
            self._reap(self._process)

    def stop(self, timeout_s: float = 30) -> None:
        """Ask it to end (SIGTERM) and wait. Kills it and raises LabError when it does not end in time."""
        if self._process is None:
            return
        self._process.terminate()
        try:
            self._process.wait(timeout_s)
        except subprocess.TimeoutExpired as error:
            raise LabError(f"{self.name} did not stop within {timeout_s} s:\n{self.log_tail()}") from error
        finally:
            self.kill()

    def _reap(self, process: subprocess.Popen[bytes]) -> None:
        # The guard is ended first: later the process id that it would kill may belong to another process.
        if self._guard is not None:
            self._guard.kill()
            self._guard.communicate()
        process.wait()

    def log_tail(self) -> str:
        """The last lines of its log."""
        return _tail(self.log.read_text(errors="replace") if self.log.exists() else "")


def wait_until(what: str, condition: Callable[[], bool], servers: Sequence[Jvm], timeout_s: float) -> None:
    """Wait until `condition` holds. Raises LabError with the servers' logs when a server ends or the time is over."""
    deadline = time.monotonic() + timeout_s
    while not _holds(condition):
        ended = [server for server in servers if not server.running]
        if ended or time.monotonic() > deadline:
            reason = f"{ended[0].name} ended" if ended else f"{timeout_s} s went by"
            logs = "\n".join(f"{server.log}:\n{server.log_tail()}" for server in ended or servers)
            raise LabError(f"Waited for {what}, but {reason}.\n{logs}")
        time.sleep(0.1)


def _holds(condition: Callable[[], bool]) -> bool:
    """Whether the condition holds; a server that cannot answer yet is asked again."""
    try:
        return condition()
    except LabError:
        return False


def _tail(text: str) -> str:
    return "\n".join(text.splitlines()[-_TAIL_LINES:])
