"""`varve report`."""

import typer

from jobs.cli.options import ClusterOption, chosen_clusters, settings_of


def report(context: typer.Context, cluster: ClusterOption = None) -> None:
    """Write the HTML report of each cluster and print where it is."""
    from jobs.report import write_report

    settings = settings_of(context)
    for name in chosen_clusters(settings, cluster):
        typer.echo(write_report(settings, name))
