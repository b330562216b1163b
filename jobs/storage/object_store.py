"""A prefix in an object store as the place of a lake's files: S3 and what speaks it, Google's and Azure's.

An object is there whole or not at all, and is written by one request; nothing is ever renamed.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from copy import copy
from datetime import datetime, timedelta
from mimetypes import guess_type
from pathlib import Path
from typing import TYPE_CHECKING, Any

import obstore
from obstore.exceptions import AlreadyExistsError, PreconditionError
from obstore.store import from_url

from jobs.errors import SnapshotRefusedError
from jobs.settings import resolve
from jobs.storage.explain import StoreError, explained
from jobs.storage.fetched import Copy, Fetched
from jobs.storage.lease import Lease
from jobs.storage.location import Bucket
from jobs.storage.logs import Logs, LogsNow, SettledLogs

if TYPE_CHECKING:
    from obstore.store import ObjectStore

_RETRIES: Any = {"max_retries": 3, "retry_timeout": timedelta(seconds=20)}
_TIMES: Any = {"connect_timeout": "5s", "timeout": "60s"}


def open_bucket(bucket: Bucket) -> "ObjectStorage":
    """The door to the files below a prefix. Raises SettingsError when a secret that it names is not set."""
    options = deltalake_options(bucket)
    config: Any = {key.lower(): value for key, value in options.items() if key != "AWS_ALLOW_HTTP"}
    client: Any = {**_TIMES, "allow_http": "AWS_ALLOW_HTTP" in options}
    with explained(bucket.url):
        store: Any = from_url(bucket.url, config=config, client_options=client, retry_config=_RETRIES)
    return ObjectStorage(bucket, store, options)


def deltalake_options(bucket: Bucket) -> dict[str, str]:
    """How S3 is reached, by the names of AWS's environment variables; of other stores the environment says it all."""
    known = {
        "AWS_ENDPOINT_URL": bucket.endpoint,
        "AWS_REGION": bucket.region or ("us-east-1" if bucket.endpoint else None),
        "AWS_ACCESS_KEY_ID": bucket.access_key and resolve(bucket.access_key),
        "AWS_SECRET_ACCESS_KEY": bucket.secret_key and resolve(bucket.secret_key),
        "AWS_ALLOW_HTTP": "true" if (bucket.endpoint or "").startswith("http://") else None,
    }
    return {key: value for key, value in known.items() if value}


class ObjectStorage:
    """The objects below a prefix, of which `folder` is the part of a path that is left out."""

    locks_expire = True

    def __init__(
        self, bucket: Bucket, store: "ObjectStore", options: dict[str, str], folder: str = ""
    ) -> None:
        self._bucket = bucket
        self.store = store
        self._folder = folder
        self._fetched = Fetched(bucket)
        self._leases: list[Lease] = []
        self._logs: Logs = LogsNow(store, self._fetched)
        self.options = options

    def read(self, path: str) -> bytes | None:
        with explained(self.location(path)):
            try:
                return bytes(obstore.get(self.store, self._key(path)).bytes())
            except FileNotFoundError as error:
                # Of a bucket that is not there nobody knows what is in it.
                if "NoSuchBucket" in str(error):
                    raise
                return None

    def write(self, path: str, content: bytes) -> None:
        with explained(self.location(path)):
            # A browser shows a page only if it is called one.
            kind, _ = guess_type(path)
            attributes: Any = {"Content-Type": kind} if kind else None
            obstore.put(self.store, self._key(path), _bytes(content), attributes=attributes)

    def create(self, path: str, content: bytes) -> bool:
        with explained(self.location(path)):
            try:
                obstore.put(self.store, self._key(path), _bytes(content), mode="create", use_multipart=False)
            except (AlreadyExistsError, PreconditionError):
                return False
        return True

    def exists(self, path: str) -> bool:
        # Not by a HEAD, whose answer cannot tell a missing file from a missing bucket: what is asked for here is small.
        return self.read(path) is not None

    def list(self, folder: str, before: datetime | None = None) -> Iterator[str]:
        skipped = len(f"{self._folder}/") if self._folder else 0
        with explained(self.location(folder)):
            for found in obstore.list(self.store, self._key(folder) or None, chunk_size=1000):
                for each in found:
                    if not before or each["last_modified"] < before:
                        yield each["path"][skipped:]

    def delete(self, *files: str) -> None:
        if not files:
            return
        with explained(self.location(files[0])):
            try:
                obstore.delete(self.store, [self._key(file) for file in files])
            except FileNotFoundError as error:
                if "NoSuchBucket" in str(error):
                    raise

    def delete_folder(self, folder: str) -> None:
        self.delete(*self.list(folder))

    def clear_unfinished(self, folder: str) -> None:
        """Nothing is left: an object is there whole or not at all."""

    @contextmanager
    def lock(self, path: str) -> Iterator[bool]:
        lease = Lease(self.store, self._key(path))
        with explained(self.location(path)):
            is_held = lease.take()
        if not is_held:
            yield False
            return
        self._leases.append(lease)
        try:
            self.check_create(path)
            yield True
        finally:
            self._leases.remove(lease)
            lease.give_back()

    def check_locks(self) -> None:
        if lost := [lease for lease in self._leases if not lease.is_held]:
            raise SnapshotRefusedError(
                f"The lease {self._bucket.url}/{lost[0].path} was lost, and another process may write there now: this one "
                "stops before its next append; what it wrote of a snapshot that is not committed is never seen"
            )

    def check_create(self, path: str) -> None:
        """Raises StoreError when the store overwrites what is there already: two writers would lose each other's rows."""
        if self.create(path, b""):
            raise StoreError(
                f"{self.location(path)}: the store overwrites an object that is to be written only if it is absent "
                "(If-None-Match), so it cannot hold a lake: take a newer release of it, or another store"
            )

    def location(self, path: str) -> str:
        return f"{self._bucket.url}/{self._key(path)}".removesuffix("/")

    def log(self, table: str) -> str:
        with explained(self.location(table)):
            return self._logs.of(self._key(table))

    def show_files(self, table: str, shown: str, sizes: Mapping[str, int]) -> None:
        self.fetch(sizes)
        for path in sizes:
            link = Path(shown, path.removeprefix(f"{table}/"))
            link.parent.mkdir(parents=True, exist_ok=True)
            link.symlink_to(self.here(path))

    def add_shown(self, table: str, shown: str) -> None:
        made = [path for path in Path(shown).rglob("*") if path.is_file() and not path.is_symlink()]
        for path in sorted(made, key=_order):
            name, content = f"{table}/{path.relative_to(shown).as_posix()}", path.read_bytes()
            if path.suffix != ".json":
                self.write(name, content)
            elif not self.create(name, content) and self.read(name) != content:
                raise SnapshotRefusedError(
                    f"{self.location(name)} was written by another process meanwhile, which writes there now"
                )

    def changed(self, table: str) -> None:
        self._logs.changed(self._key(table))

    def settled(self, folder: str | None = None) -> "ObjectStorage":
        if not isinstance(self._logs, LogsNow):
            return self
        settled = copy(self)
        with explained(self.location(folder or "")):
            settled._logs = SettledLogs(self._logs, folder and self._key(folder))
        return settled

    def here(self, path: str) -> str:
        return self._fetched.path(self._key(path))

    def fetch(self, sizes: Mapping[str, int]) -> None:
        copies = [Copy(self._key(path), self._key(path), size) for path, size in sizes.items()]
        with explained(self._bucket.url):
            self._fetched.fetch(self.store, copies)

    def inside(self, folder: str) -> "ObjectStorage":
        return ObjectStorage(self._bucket, self.store, self.options, self._key(folder))

    def _key(self, path: str) -> str:
        return "/".join(part for part in (self._folder, path) if part)


def _order(path: Path) -> tuple[bool, bool, bool]:
    """Files come before the entry of the log that names them, that before the checkpoint with it, and last what names that."""
    return path.parent.name == "_delta_log", path.suffix != ".json", not path.suffix


def _bytes(content: bytes) -> bytes:
    """The content, which is to be bytes: obstore would take text for the name of a file."""
    if not isinstance(content, bytes | bytearray | memoryview):
        content = memoryview(content)  # raises the TypeError that a local disk raises
    return bytes(content)
