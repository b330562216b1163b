"""Reads small files of a disk that a running broker may be writing."""

import os

from jobs.sources.log_dirs.contents import MAX_FILE_BYTES, File
from jobs.sources.log_dirs.explain import too_large, unsettled

_ATTEMPTS = 3
_READING = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK


def read_file(path: str, flags: int = 0, limit: int = MAX_FILE_BYTES) -> File | None:
    """The file as it was at one moment, or None where there is none.

    Kafka replaces its files by a rename, so an open file is whole; its size and time before and after the
    read show a writer that does otherwise. Raises NotReadError, or OSError.
    """
    for _ in range(_ATTEMPTS):
        try:
            descriptor = os.open(path, _READING | flags)
        except FileNotFoundError:
            return None
        try:
            before = os.fstat(descriptor)
            if before.st_size > limit:
                raise too_large(path, before.st_size, limit)
            content = _read(descriptor, before.st_size)
            after = os.fstat(descriptor)
        finally:
            os.close(descriptor)
        if len(content) == after.st_size and before.st_mtime_ns == after.st_mtime_ns:
            return File(content, after.st_mtime_ns)
    raise unsettled(f"{path} changed while it was read, {_ATTEMPTS} times in a row")


def read_listed(path: str, listed: os.stat_result, flags: int = 0) -> File | None:
    """The same as `read_file`, for a file whose directory was just listed: most often one question less."""
    if listed.st_size > MAX_FILE_BYTES:
        return read_file(path, flags)
    try:
        descriptor = os.open(path, _READING | flags)
    except FileNotFoundError:
        return None
    try:
        content = os.read(descriptor, listed.st_size + 1)
        after = os.fstat(descriptor)
    finally:
        os.close(descriptor)
    if len(content) == listed.st_size == after.st_size and listed.st_mtime_ns == after.st_mtime_ns:
        return File(content, after.st_mtime_ns)
    return read_file(path, flags)


def _read(descriptor: int, size: int) -> bytes:
    """The content, and a byte more where there is one: a call gives less where a signal comes between."""
    content = os.read(descriptor, size + 1)
    while content and len(content) < size and (more := os.read(descriptor, size + 1 - len(content))):
        content += more
    return content
