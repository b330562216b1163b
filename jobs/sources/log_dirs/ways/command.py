"""A command that prints to a pipe, read within deadlines and ended with all it started."""

import os
import selectors
import signal
import subprocess
import time
from contextlib import suppress
from types import TracebackType
from typing import Self

from jobs.errors import NotReadError
from jobs.sources.log_dirs.files import Budget
from jobs.wording import printable
from schemas.snapshots import GapReason

_READ = 1 << 16
_ENDS_WITHIN_S = 10
_KEPT_OF_STDERR = 4096
_SHOWN_OF_STDERR = 200


class Command:
    """A running command; a context that ends it and its whole process group."""

    def __init__(self, arguments: list[str], timeout_s: float) -> None:
        self._name, self._timeout_s = printable(os.path.basename(arguments[0])), timeout_s  # noqa: PTH119
        self._told = b""
        try:
            self._process = subprocess.Popen(
                arguments,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except OSError as error:
            raise self._failed(f"cannot be run ({error.strerror})") from None
        assert self._process.stdout
        assert self._process.stderr
        self._output, self._errors = self._process.stdout, self._process.stderr
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._output, selectors.EVENT_READ)
        self._selector.register(self._errors, selectors.EVENT_READ)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # What runs as another user, as behind sudo, cannot be ended.
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_ENDS_WITHIN_S)
        self._selector.close()
        self._output.close()
        self._errors.close()

    def read(self, size: int = _READ, /) -> bytes:
        """What it printed next, at most `size` bytes, or nothing at its end.

        Raises NotReadError when nothing comes in time.
        """
        deadline = time.monotonic() + self._timeout_s
        while self._output in self._selector.get_map():
            ready = self._selector.select(max(0, deadline - time.monotonic()))
            if not ready:
                raise self._failed(f"said nothing for {self._timeout_s:g} s")
            if (printed := self._read_ready({key.fileobj for key, _ in ready}, size)) is not None:
                return printed
        return b""

    def finish(self, budget: Budget) -> None:
        """Read what is left and wait for its end. Raises NotReadError when it fails or does not end in time."""
        while rest := self.read():
            budget.spend(len(rest))
        try:
            code = self._process.wait(self._timeout_s)
        except subprocess.TimeoutExpired:
            raise self._failed(f"did not end within {self._timeout_s:g} s") from None
        if code:
            self._read_last_errors()
            raise self._failed(f"failed ({_ending(code)})")

    def _read_ready(self, ready: set[object], size: int) -> bytes | None:
        if self._errors in ready:
            told = os.read(self._errors.fileno(), _READ)
            self._told = (self._told + told)[-_KEPT_OF_STDERR:]
            if not told:
                self._selector.unregister(self._errors)
        if self._output not in ready:
            return None
        printed = os.read(self._output.fileno(), size)
        if not printed:
            self._selector.unregister(self._output)
        return printed

    def _read_last_errors(self) -> None:
        """What it told at last; not waiting for what it may have left running."""
        while self._errors in self._selector.get_map() and self._selector.select(0):
            self._read_ready({self._errors}, 0)

    def _failed(self, how: str) -> NotReadError:
        lines = self._told.decode("utf-8", "replace").split("\n")
        last = next((line.strip() for line in reversed(lines) if line.strip()), "")
        told = f": {printable(last)[:_SHOWN_OF_STDERR]}" if last else ""
        return NotReadError(
            GapReason.UNREACHABLE,
            f"The command {self._name} {how}{told}. Run it by hand as the user Varve runs as.",
        )


def _ending(code: int) -> str:
    return f"exit code {code}" if code > 0 else f"ended by signal {-code}"
