"""The result that the `probe` of every source returns to `varve doctor`."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Probe:
    """One thing that was tried. `message` is what was found, or what to do when it is not `ok`."""

    what: str
    ok: bool
    message: str
