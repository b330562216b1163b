"""`varve rebuild`."""

from typing import Annotated

import typer

from jobs.cli.options import ClusterArgument, settings_of
from jobs.cli.terminal import busy


def rebuild(
    context: typer.Context,
    cluster: ClusterArgument,
    table: Annotated[
        str | None,
        typer.Option(help="Only this table.", show_default="every typed table, the events and the findings"),
    ] = None,
) -> None:
    """Make the past again: typed tables, events and findings of every snapshot, from the raw tables with today's code.

    Readers see the new past at once when all of it is made; until then, and when it ends early, nothing changes. What was
    computed before goes with the next `varve maintain`.
    """
    from jobs.rebuild import rebuild as make_again

    settings = settings_of(context)
    with busy(f"making the past of {cluster} again"):
        rebuilt = make_again(settings, cluster, table)
    typer.echo(
        f"{cluster}: {', '.join(rebuilt.rows)} were made again for {rebuilt.snapshots:,} snapshots "
        f"({sum(rebuilt.rows.values()):,} rows, generation {rebuilt.generation})"
    )
