"""What `varve doctor` asks of every source."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Probe:
    """One thing that was tried: what, whether it went well, and what was found or what to do."""

    what: str
    ok: bool
    message: str
