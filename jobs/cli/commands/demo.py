"""`varve demo`."""

from pathlib import Path
from typing import Annotated

import typer


def demo(
    directory: Annotated[
        Path, typer.Option("--dir", help="Where to leave settings, lake and report.")
    ] = Path("varve-demo"),
) -> None:
    """Start real Kafka, live through a few incidents, and tell what Varve saw."""
    from jobs.demo import run

    run(directory)
