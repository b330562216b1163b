"""Says for `varve doctor` which log dirs can be read."""

from jobs.errors import NotReadError
from jobs.sources.log_dirs.checkpoint_rows import checkpoint_rows
from jobs.sources.log_dirs.contents import LogDirFiles
from jobs.sources.log_dirs.read import read_log_dirs
from jobs.sources.log_dirs.settings import Settings
from jobs.sources.probe import Probe


def probe(settings: Settings) -> list[Probe]:
    """One line per log dir, which is read whole, as a snapshot would, so that no missing right stays unseen."""
    return [
        _probe(entry.broker, path, found)
        for entry in settings.brokers
        for path, found in read_log_dirs(entry, settings).items()
    ]


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
