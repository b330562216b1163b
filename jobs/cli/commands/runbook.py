"""`varve runbook`."""

from typing import Annotated

import typer

from jobs.cli.options import ClusterOption, chosen_clusters, settings_of
from jobs.errors import UsageError


def runbook(
    context: typer.Context,
    check: Annotated[str, typer.Argument(help="A check, such as offline-partition.", show_default=False)],
    subject: Annotated[
        str | None,
        typer.Argument(help="What a finding is about: orders-3, orders, 'broker 2'.", show_default=False),
    ] = None,
    cluster: ClusterOption = None,
) -> None:
    """Print what a finding means and what to do, with the addresses of the cluster filled in. Nothing is run."""
    from jobs.checks.parts.check import runbooks
    from jobs.cli.runbook import page_for

    pages = runbooks()
    if check not in pages:
        raise UsageError(f"There is no check {check!r}; there are {', '.join(pages)}")
    settings = settings_of(context)
    clusters = chosen_clusters(settings, cluster)
    if len(clusters) > 1:
        raise UsageError(f"Name one of the clusters with --cluster: {', '.join(clusters)}")
    typer.echo(page_for(settings.cluster(clusters[0]), check, pages[check], subject))
