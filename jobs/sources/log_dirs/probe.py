"""Says for `varve doctor` which log dirs can be read."""

from jobs.errors import NotReadError
from jobs.sources.log_dirs.checkpoint_rows import checkpoint_rows
from jobs.sources.log_dirs.contents import LogDirFiles
from jobs.sources.log_dirs.explain import empty
from jobs.sources.log_dirs.settings import BrokerLogDirs, Settings
from jobs.sources.log_dirs.ways.read import read_log_dirs
from jobs.sources.probe import Probe


def probe(settings: Settings) -> list[Probe]:
    """One line per log dir, which is read whole, as a snapshot would, so that no missing right stays unseen."""
    return [line for entry in settings.brokers for line in _probes(entry, settings)]


def _probes(entry: BrokerLogDirs, settings: Settings) -> list[Probe]:
    unseen = [str(path) for path in entry.paths]
    lines = []
    try:
        for path, found in read_log_dirs(entry, settings):
            unseen.remove(path)
            if isinstance(found, LogDirFiles) and found.looks_unmounted:
                found = empty(entry.broker, path)
            lines.append(_probe(entry.broker, path, found))
    except NotReadError as error:
        lines.extend(Probe(f"log dir {path} of broker {entry.broker}", False, str(error)) for path in unseen)
    return lines


def _probe(broker: int, path: str, found: LogDirFiles | NotReadError) -> Probe:
    what = f"log dir {path} of broker {broker}"
    if isinstance(found, NotReadError):
        return Probe(what, False, str(found))
    unread = [str(error) for error in found.unread.values()]
    unread += [str(file) for file in found.files.values() if isinstance(file, NotReadError)]
    unread += [message for _, _, message in checkpoint_rows(broker, found).gaps]
    if unread:
        return Probe(what, False, f"{len(unread)} parts of it cannot be read, among them: {unread[0]}")
    return Probe(what, True, f"{len(found.replicas)} replica directories")
