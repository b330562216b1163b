"""`varve findings`."""

from enum import StrEnum
from typing import Annotated

import typer

from jobs.cli.options import ClusterOption, Format, FormatOption, chosen_clusters, settings_of
from schemas.judgement import SEVERITIES

Severity = StrEnum("Severity", {name.upper(): name for name in SEVERITIES})  # type: ignore[misc]


def findings(
    context: typer.Context,
    cluster: ClusterOption = None,
    everything: Annotated[bool, typer.Option("--all", help="Resolved ones too.")] = False,
    fail_on: Annotated[
        Severity | None,
        typer.Option(help="Exit 3 when an open finding is at least this severe.", show_default=False),
    ] = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """What is wrong, how bad it is, and what to do about it."""
    from jobs.cli.answer import print_answer
    from jobs.lake.read import open_lake

    settings = settings_of(context)
    lake = open_lake(settings.lake, chosen_clusters(settings, cluster))
