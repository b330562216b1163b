"""Where files can be: in a folder, or below a prefix in an object store."""

from dataclasses import dataclass, replace
from pathlib import Path


@dataclass(frozen=True)
class Bucket:
    """A prefix in an object store, such as `s3://bucket/prefix`, and how it is reached where the environment does not say.

    The keys are the names of secrets, see `jobs.settings.resolve`. Fetched files of `cache_gb` are kept on this machine,
    each for `cache_days` after it was last used.
    """

    url: str
    endpoint: str | None = None
    region: str | None = None
    access_key: str | None = None
    secret_key: str | None = None
    cache_gb: float = 10
    cache_days: float = 30

    def __str__(self) -> str:
        return self.url

    def __truediv__(self, name: str) -> "Bucket":
        return replace(self, url=f"{self.url}/{name}")

    @property
    def scheme(self) -> str:
        return self.url.partition("://")[0]


Location = Path | Bucket
"""Where a lake is, as `lake` in varve.yaml names it."""
