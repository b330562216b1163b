"""Says what is going on while it takes time: on a terminal only, a pipe stays silent."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def busy(doing: str) -> Iterator[None]:
    """Shows what is being done until it is."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console
    from rich.text import Text

    with Console(stderr=True).status(Text(doing)):
        yield
