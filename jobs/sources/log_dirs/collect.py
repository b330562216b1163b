"""Reads the brokers' log dirs and lands what is in them. Nothing is ever written there."""

import os

from jobs.landing import Landing
from jobs.sources.log_dirs.files import UnsettledFileError
from jobs.sources.log_dirs.log_dir import read_log_dir
from jobs.sources.log_dirs.replica import Replica, read_replica, storable
from jobs.sources.log_dirs.rows import log_dir_row, offset_rows, replica_row
from jobs.sources.log_dirs.settings import Settings

_NOT_REPLICAS = ("remote-log-index-cache",)
_LISTINGS = 3


def collect(settings: Settings, landing: Landing) -> None:
    """Land every log dir; one that cannot be read is a gap and the others go on."""
    for entry in settings.root:
        for path in entry.local:
            try:
                _collect_log_dir(entry.broker, str(path), landing)
            except OSError as error:
                landing.gap(f"/{entry.broker}{path}", *explain(error, entry.broker, str(path)))


def explain(error: OSError, broker: int, path: str) -> tuple[str, str]:
    """Why a log dir could not be read: the reason of its gap, and a sentence with what to do."""
    where = f"log dir {path} of broker {broker}"
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        remedy = "check the path under log_dirs in varve.yaml, and whether the disk is mounted"
        return "missing", f"There is no {where}: {remedy}."
    if isinstance(error, PermissionError):
        remedy = "let the user Varve runs as read and enter it"
        return "unauthorized", f"The {where} may not be read: {remedy}."
    return "unreadable", f"The {where} cannot be read ({error.strerror}): check the disk."


def _collect_log_dir(broker: int, path: str, landing: Landing) -> None:
    log_dir = read_log_dir(path)
    replicas = _replicas(broker, path, landing)
    landing.rows("log_dirs", [log_dir_row(broker, path, log_dir)])
    landing.rows("log_dir_space", [(broker, path, log_dir.total_bytes, log_dir.free_bytes)])
    landing.rows("disk_replicas", (replica_row(broker, path, replica) for replica in replicas))
    landing.rows("disk_offsets", offset_rows(broker, path, log_dir, replicas))


def _replicas(broker: int, path: str, landing: Landing) -> list[Replica]:
    """Every replica. A directory that vanishes may have been renamed, so the log dir is listed again then."""
    replicas: list[Replica] = []
    seen: set[str] = set(_NOT_REPLICAS)
    for _ in range(_LISTINGS):
        has_vanished = False
        for name in [name for name in _directories(path) if name not in seen]:
            seen.add(name)
            try:
                replica = read_replica(path, name)
            except (UnsettledFileError, OSError) as error:
                landing.gap(f"/{broker}{path}/{storable(name)}", *_explain_replica(error, path, name))
                continue
            if replica:
                replicas.append(replica)
            else:
                has_vanished = True
        if not has_vanished:
            break
    return replicas


def _directories(path: str) -> list[str]:
    with os.scandir(path) as entries:
        return [entry.name for entry in entries if entry.is_dir()]


def _explain_replica(error: UnsettledFileError | OSError, path: str, name: str) -> tuple[str, str]:
    where = f"{path}/{storable(name)}"
    if isinstance(error, UnsettledFileError):
        return "unsettled", f"{error}; the next snapshot will see it."
    if isinstance(error, PermissionError):
        return "unauthorized", f"{where} may not be read: let the user Varve runs as read its files."
    return "unreadable", f"{where} cannot be read ({error.strerror}): check the disk."
