"""Reads the brokers' log dirs and lands what is in them. Nothing is ever written there."""

from concurrent.futures import ThreadPoolExecutor
from threading import Lock

from jobs.errors import NotReadError
from jobs.landing.landing import Landing
from jobs.sources.log_dirs.checkpoint_rows import checkpoint_rows
from jobs.sources.log_dirs.contents import LogDirFiles
from jobs.sources.log_dirs.log_dir import parse_log_dir, unread_files
from jobs.sources.log_dirs.read import read_log_dirs
from jobs.sources.log_dirs.replica import parse_replica
from jobs.sources.log_dirs.rows import log_dir_row, offset_rows, replica_row, space_row
from jobs.sources.log_dirs.settings import BrokerLogDirs, Settings


def collect(settings: Settings, landing: Landing) -> None:
    """Land every log dir; one that cannot be read is a gap and the others go on."""
    landing.looked_at = settings.scopes
    lock = Lock()
    with ThreadPoolExecutor(settings.at_once) as pool:
        for done in [pool.submit(_collect, entry, settings, landing, lock) for entry in settings.brokers]:
            done.result()


def _collect(entry: BrokerLogDirs, settings: Settings, landing: Landing, lock: Lock) -> None:
    for path, found in read_log_dirs(entry, settings).items():
        land_log_dir(entry.broker, path, found, landing, lock)


def land_log_dir(
    broker: int, path: str, found: LogDirFiles | NotReadError, landing: Landing, lock: Lock
) -> None:
    """Land what was found in the log dir that the broker knows as `path`, or a gap that says why it was not read."""
    if isinstance(found, NotReadError):
        landing.gap(f"/{broker}{path}", found.reason, str(found))
        return
    log_dir = parse_log_dir(found)
    replicas = [parse_replica(replica) for replica in found.replicas]
    checkpoint = checkpoint_rows(broker, found)
    rows = {
        "log_dirs": [log_dir_row(broker, found, log_dir)],
        "log_dir_space": [space_row(broker, found)],
        "disk_replicas": [replica_row(broker, path, replica) for replica in replicas],
        "disk_offsets": [*offset_rows(broker, path, log_dir, replicas)],
        **checkpoint.rows,
    }
    with lock:
        for table, of_table in rows.items():
            landing.rows(table, of_table)
        for name, error in (*unread_files(found), *found.unread.items()):
            landing.gap(f"/{broker}{path}/{name}", error.reason, str(error))
        for scope, reason, message in checkpoint.gaps:
            landing.gap(f"/{broker}{path}/{scope}", reason, message)
