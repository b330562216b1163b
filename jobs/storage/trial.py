"""Tries whether an object store does what a lake needs."""

from datetime import UTC, datetime, timedelta
from uuid import uuid4

import obstore

from jobs.storage.explain import StoreError, explained
from jobs.storage.location import Bucket
from jobs.storage.object_store import open_bucket

_MOST_OFF = timedelta(minutes=5)
"""S3 refuses requests of a host whose clock is off by a quarter of an hour."""


def try_out(bucket: Bucket) -> str:
    """What was found when an object was created once, not twice, listed and deleted below the prefix.

    Raises StoreError for what does not work.
    """
    storage, path = open_bucket(bucket), f"_doctor/{uuid4().hex}"
    storage.create(path, b"")
    try:
        storage.check_create(path)
        with explained(bucket.url):
            off = datetime.now(UTC) - obstore.head(storage.store, path)["last_modified"]
        if path not in storage.list("_doctor"):
            raise StoreError(f"{bucket}: an object that was written is not listed")
    finally:
        storage.delete(path)
    if abs(off) > _MOST_OFF:
        raise StoreError(f"{bucket}: this host's clock is off by {abs(off)} from the store's: synchronise it")
    return (
        f"{bucket} can be listed and written, once only where asked so; the clock is {abs(off).seconds} s off"
    )
