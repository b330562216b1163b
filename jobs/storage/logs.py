"""The logs of Delta tables in an object store, each shown as a folder of this machine, which deltalake opens."""

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from typing import TYPE_CHECKING, Protocol
from uuid import uuid4

import obstore

from jobs.storage.fetched import Fetched, since_checkpoint

if TYPE_CHECKING:
    from obstore import ObjectMeta
    from obstore.store import ObjectStore

_LOG = "/_delta_log/"


class Logs(Protocol):
    """Shows the log of the table at a prefix."""

    def of(self, table: str) -> str:
        """Where deltalake opens it; there is nothing where there is no log."""

    def changed(self, table: str) -> None:
        """Say that it is not as it was any more."""


class LogsNow:
    """Logs as they are when somebody asks."""

    def __init__(self, store: "ObjectStore", fetched: Fetched) -> None:
        self._store = store
        self._fetched = fetched
        self._folder = TemporaryDirectory(prefix="varve-logs-")

    def of(self, table: str) -> str:
        return self.within(f"{table}{_LOG}").get(table, self.nothing)

    def changed(self, table: str) -> None:
        """Nothing is remembered."""

    @property
    def nothing(self) -> str:
        """Where there is no log."""
        return f"{self._folder.name}/nothing"

    def within(self, prefix: str) -> dict[str, str]:
        """Where each log is shown, by its table, of which an entry lies below a prefix."""
        logs: dict[str, list[ObjectMeta]] = {}
        for each in self._listed(prefix):
            table, is_log, _ = each["path"].partition(_LOG)
            if is_log:
                logs.setdefault(table, []).append(each)
        newest = {table: since_checkpoint(log) for table, log in logs.items()}
        self._fetched.fetch(self._store, [copy for entries in newest.values() for _, copy in entries])
        return {
            table: self._shown((name, self._fetched.path(copy.name)) for name, copy in entries)
            for table, entries in newest.items()
            if entries
        }

    def _listed(self, prefix: str) -> "Iterator[ObjectMeta]":
        for found in obstore.list(self._store, prefix, chunk_size=1000):
            yield from found

    def _shown(self, entries: Iterable[tuple[str, str]]) -> str:
        shown = Path(self._folder.name, uuid4().hex)
        (shown / "_delta_log").mkdir(parents=True)
        for name, copy in entries:
            (shown / "_delta_log" / name).symlink_to(copy)
        return str(shown)


class SettledLogs:
    """Logs that stay as they were when they were first asked for, unless they `changed`.

    Those below a folder are looked up at once: a list of all that is there is a request for each thousand objects.
    """

    def __init__(self, logs: LogsNow, folder: str | None) -> None:
        self._logs = logs
        self._folder = folder
        self._shown = logs.within(f"{folder}/") if folder else {}
        self._changes: Counter[str] = Counter()
        self._lock = Lock()

    def of(self, table: str) -> str:
        with self._lock:
            changes = self._changes[table]
            shown = self._shown.get(table)
        if shown is None and not changes and self._folder and table.startswith(f"{self._folder}/"):
            return self._logs.nothing
        return shown or self._look_up(table, changes)

    def changed(self, table: str) -> None:
        with self._lock:
            self._changes[table] += 1
            self._shown.pop(table, None)

    def _look_up(self, table: str, changes: int) -> str:
        shown = self._logs.of(table)
        with self._lock:
            if self._changes[table] == changes:  # else it may have changed after it was listed
                self._shown[table] = shown
        return shown
