"""Places that a source does not look at any more, and that somebody said are gone for good."""

from urllib.parse import unquote

from jobs.lake.layout import dismissed_folder, dismissed_path
from jobs.storage import Storage


def dismiss(storage: Storage, cluster: str, source: str, scope: str) -> None:
    """Have the next snapshot take everything at or below a scope for gone."""
    storage.create(dismissed_path(cluster, source, scope), b"")


def dismissed(storage: Storage, cluster: str, source: str) -> list[str]:
    """The scopes that the next snapshot is to take for gone."""
    return sorted(
        unquote(path.rpartition("/")[2]) for path in storage.list(dismissed_folder(cluster, source))
    )


def forget(storage: Storage, cluster: str, source: str, scope: str) -> None:
    """A snapshot took the scope for gone: it may be looked at again one day."""
    storage.delete(dismissed_path(cluster, source, scope))
