"""`varve demo`."""

from pathlib import Path
from typing import Annotated

import typer


def demo(
    directory: Annotated[
        Path, typer.Option("--dir", help="The folder for settings, lake and reports.")
    ] = Path("varve-demo"),
) -> None:
    """Start real Kafka, play a few incidents, and tell what Varve saw."""
    from jobs.demo import run

    run(directory)
