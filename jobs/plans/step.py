"""One step of a plan."""

from typing import NamedTuple

COMMAND = "$ "
"""How a line of `before` and `after` begins that is a command; the others say what must be so."""


class Step(NamedTuple):
    """What to do when the steps before it are done, or why not to: `run` is empty where it cannot be done now."""

    subject: str
    """What it is about: a topic, `controller`, or `broker 3`."""
    state: str
    """What is wrong there: latent, mismatch or mixed."""
    does: str
    before: tuple[str, ...] = ()
    """What must be so, and how to see it."""
    run: str = ""
    after: tuple[str, ...] = ()
    """What must be so then, and how to see it."""
    not_now: tuple[str, ...] = ()
    """Why it must not be done now."""
