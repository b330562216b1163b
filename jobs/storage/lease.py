"""A lock in an object store: an object that says who holds it, which ends by itself when its holder does.

It is created if it is absent, and replaced only if it is unchanged since it was read, so of several that want it one has
it. Its age is the store's: when the store says it was written, against when it says that another object was written now.
So the clocks of the hosts do not matter.
"""

import json
import logging
import os
import socket
import time
from datetime import UTC, datetime, timedelta
from threading import Event, Thread
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import obstore
from obstore.exceptions import AlreadyExistsError, BaseError, PreconditionError

if TYPE_CHECKING:
    from obstore.store import ObjectStore

log = logging.getLogger(__name__)

SECONDS = 60.0
"""For how long a lease is held without being renewed."""

_CLOCK = ".clock"


class Lease:
    """The lease at a path: `take` it, ask before each write whether it `is_held`, and give it back."""

    def __init__(self, store: "ObjectStore", path: str) -> None:
        self.path = path
        self.term = 0
        """How often the lease was taken, this time included."""
        self._store = store
        self._seconds = SECONDS
        self._owner = uuid4().hex
        self._e_tag: str | None = None
        self._held_until = 0.0
        self._is_over = Event()
        self._renewing = Thread(target=self._renew_in_time, daemon=True)

    @property
    def is_held(self) -> bool:
        """Whether nobody else can have it now."""
        return time.monotonic() < self._held_until

    def take(self) -> bool:
        """Take the lease if it is free or has ended, and keep it from then on; says whether it was."""
        try:
            found = obstore.get(self._store, self.path)
        except FileNotFoundError as error:
            if "NoSuchBucket" in str(error):
                raise
            taken = self._write(1, "create")
        else:
            before = json.loads(bytes(found.bytes()))
            if before["owner"] and not self._has_ended(found.meta["last_modified"], before["seconds"]):
                return False
            taken = self._write(before["term"] + 1, {"e_tag": found.meta["e_tag"]})
        if taken:
            self._renewing.start()
        return taken

    def give_back(self) -> None:
        """End it, so that the next one need not wait; one that was lost stays as it is."""
        self._is_over.set()
        self._renewing.join()
        if self.is_held:
            self._held_until = 0.0
            try:
                self._put("", self.term, {"e_tag": self._e_tag})
            except (BaseError, FileNotFoundError):
                log.warning("the lease %s could not be given back: it ends by itself", self.path)

    def _renew_in_time(self) -> None:
        while not self._is_over.wait(self._seconds / 4) and self.is_held:
            try:
                if not self._write(self.term, {"e_tag": self._e_tag}):
                    self._held_until = 0.0
            except (BaseError, FileNotFoundError) as error:
                log.warning("the lease %s could not be renewed: %s", self.path, type(error).__name__)

    def _write(self, term: int, mode: Any) -> bool:
        """Write it as this process's for a term; False where another one was quicker."""
        asked_at = time.monotonic()
        try:
            self._e_tag = self._put(self._owner, term, mode)
        except (AlreadyExistsError, PreconditionError):
            return False
        self.term = term
        self._held_until = asked_at + self._seconds * 0.9
        return True

    def _put(self, owner: str, term: int, mode: Any) -> str | None:
        content = {
            "owner": owner,
            "host": socket.gethostname(),
            "process": os.getpid(),
            "term": term,
            "seconds": self._seconds,
            "expires": (datetime.now(UTC) + timedelta(seconds=self._seconds)).isoformat(),
            "written": uuid4().hex,
        }
        written = obstore.put(
            self._store, self.path, json.dumps(content).encode("utf-8"), mode=mode, use_multipart=False
        )
        return written["e_tag"]

    def _has_ended(self, written_at: datetime, seconds: float) -> bool:
        clock = f"{self.path}{_CLOCK}"
        obstore.put(self._store, clock, b"")
        now = obstore.head(self._store, clock)["last_modified"]
        # Stores tell the second only.
        return now - written_at > timedelta(seconds=seconds + 1)
