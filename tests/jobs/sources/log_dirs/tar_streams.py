"""Tar streams of log dirs, made and read as those that a broker sends."""

import asyncio
import io
import tarfile

from jobs.sources.log_dirs.contents import LogDirFiles
from jobs.sources.log_dirs.files import Budget
from jobs.sources.log_dirs.read import Outcomes, read_roots
from jobs.sources.log_dirs.settings import Settings
from jobs.sources.log_dirs.ways.archive import read_tar
from jobs.sources.log_dirs.ways.places import log_dirs_of, places
from jobs.sources.log_dirs.ways.tar import TarDisk

META = b"version=0\nbroker.id=1\n"
METADATA = b"version: 0\ntopic_id: znkgOM6BTcupdjPAxhvoEw"


def member(name: str, content: bytes = b"", **header: object) -> tuple[tarfile.TarInfo, bytes]:
    info = tarfile.TarInfo(name)
    info.size, info.mtime = len(content), 1_800_000_000
    for key, value in header.items():
        setattr(info, key, value)
    return info, content


def stream(*members: tuple[tarfile.TarInfo, bytes], mode: str = "w") -> bytes:
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode=mode, format=tarfile.PAX_FORMAT) as tar:  # type: ignore[call-overload]
        for info, content in members:
            tar.addfile(info, io.BytesIO(content))
    return written.getvalue()


def read(content: bytes, *paths: str, max_bytes: int = 1 << 20) -> Outcomes:
    """What each path turned out to be. Raises NotReadError where the stream is not whole."""
    entry = {"broker": 1, "archive": "/unused", "paths": list(paths or ("/k/d0",))}
    settings = Settings(brokers=[entry], max_bytes=max_bytes, max_snapshot_bytes=1000)  # type: ignore[list-item]
    disk = read_tar(io.BytesIO(content), settings, Budget(max_bytes, 1000))
    return asyncio.run(_read(disk, list(paths or ("/k/d0",)), settings))


async def _read(disk: TarDisk, paths: list[str], settings: Settings) -> Outcomes:
    roots = places(paths, await log_dirs_of(disk), "the stream")
    return await read_roots(1, roots, disk, settings)


def only(content: bytes) -> LogDirFiles:
    (found,) = read(content).values()
    assert isinstance(found, LogDirFiles)
    return found
