"""Lets the power go at any step in which a lake changes on the disk; no product code knows of it.

A step is a file below the lake that Python opens for writing, renames, links or deletes, or a call that makes Spark or
deltalake write. It is cut off before it is done. From then on every step is, in every thread: a machine without power
does nothing more, not even clean up.
"""

import os
import re
import sys
from collections.abc import Callable, Iterator
from functools import cache, wraps
from pathlib import Path
from threading import Lock
from typing import Any

import pytest
from deltalake import DeltaTable
from deltalake.table import TableOptimizer

_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT
_FROM_TO = ("os.rename", "os.link")
_OF_DELTALAKE = (
    (DeltaTable, "delete"),
    (DeltaTable, "create_checkpoint"),
    (DeltaTable, "cleanup_metadata"),
    (DeltaTable, "vacuum"),
    (TableOptimizer, "compact"),
)


_NUMBERS = re.compile(r"(?<=\.unfinished)-\w+|(?<=\.attempt)-\d+")
"""What differs in the names of files that are for the same."""

Goes = Callable[[int, str], bool]


def at(number: int) -> Goes:
    """At the step of that number."""
    return lambda reached, _: reached == number


def _never(_number: int, _step: str) -> bool:
    return False


class PowerWentError(BaseException):
    """The power went. No `except Exception` goes on after that."""


class Failpoints:
    """Where the power of one lake goes."""

    def __init__(self, lake: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.reached: list[str] = []
        """The steps that the last `run` reached, the one at which the power went last."""
        self._lake = f"{lake}/"
        self._goes: Goes = _never
        self._is_gone = False
        self._lock = Lock()
        for owner, name in (*_OF_DELTALAKE, *_of_spark()):
            monkeypatch.setattr(
                owner, name, self._with_power(f"{owner.__name__}.{name}", getattr(owner, name))
            )
        _listen()

    def run(self, act: Callable[[], object], goes: Goes = _never) -> bool:
        """Act until the power `goes`: at the step of that number, from 0 on, and name. Says whether it stayed."""
        self.reached, self._goes, self._is_gone = [], goes, False
        _LISTENING.append(self)
        try:
            act()
        except PowerWentError:
            pass
        finally:
            _LISTENING.remove(self)
        return not self._is_gone

    def sweep(self, act: Callable[[], object]) -> Iterator[str]:
        """Act with power for one step more each time, until it stays; gives each step at which it went."""
        steps = 0
        while not self.run(act, at(steps)):
            yield self.reached[-1]
            steps += 1

    def heard(self, event: str, arguments: tuple[Any, ...]) -> None:
        """Take what Python is about to do for a step, when it changes a file of the lake."""
        path = _changed_path(event, arguments)
        if path and path.startswith(self._lake):
            self._reach(f"{event} {path.removeprefix(self._lake)}")

    def _with_power(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(call)
        def step(*arguments: Any, **named: Any) -> Any:
            if self in _LISTENING:
                self._reach(
                    f"{name} {' '.join(str(each) for each in arguments[1:2])}".replace(self._lake, "")
                )
            return call(*arguments, **named)

        return step

    def _reach(self, step: str) -> None:
        with self._lock:
            if not self._is_gone:
                self.reached.append(_NUMBERS.sub("", step))
                self._is_gone = self._goes(len(self.reached) - 1, self.reached[-1])
            if self._is_gone:
                raise PowerWentError(step)


_LISTENING: list[Failpoints] = []


@cache
def _listen() -> None:
    """An audit hook stays as long as Python runs."""
    sys.addaudithook(lambda event, arguments: [each.heard(event, arguments) for each in _LISTENING] and None)


def _changed_path(event: str, arguments: tuple[Any, ...]) -> str | None:
    if event == "open":
        path, _, flags = arguments
        return os.fsdecode(path) if flags & _WRITING and not isinstance(path, int) else None
    if event in _FROM_TO:
        return os.fsdecode(arguments[1])
    if event == "os.remove":
        path, folder = os.fsdecode(arguments[0]), arguments[1]
        return path if folder == -1 else f"{Path(f'/proc/self/fd/{folder}').readlink()}/{path}"
    return None


def _of_spark() -> Iterator[tuple[type, str]]:
    """Nothing where the tests that run need no Spark."""
    if "pyspark.sql" in sys.modules:
        from pyspark.sql import DataFrameWriter, SparkSession

        yield from ((SparkSession, "sql"), (DataFrameWriter, "save"))
