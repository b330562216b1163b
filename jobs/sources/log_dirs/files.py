"""Reads small files that a running broker may be writing."""

import os
from dataclasses import dataclass

_ATTEMPTS = 3


class UnsettledFileError(Exception):
    """The file changed during every attempt to read it."""


@dataclass(frozen=True, slots=True)
class File:
    """A file's content, and when it was last written, in nanoseconds since 1970."""

    content: bytes
    modified_ns: int


def read_file(path: str) -> File | None:
    """The file as it was at one moment, or None where there is none.

    Kafka replaces its files by a rename, so an open file is whole; its size and time before and after the
    read show a writer that does otherwise. Raises UnsettledFileError, or OSError.
    """
    for _ in range(_ATTEMPTS):
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        except FileNotFoundError:
            return None
        try:
            before = os.fstat(descriptor)
            content = os.read(descriptor, before.st_size + 1)
            after = os.fstat(descriptor)
        finally:
            os.close(descriptor)
        if len(content) == after.st_size and before.st_mtime_ns == after.st_mtime_ns:
            return File(content, after.st_mtime_ns)
    raise UnsettledFileError(f"{path} changed while it was read, {_ATTEMPTS} times in a row")
