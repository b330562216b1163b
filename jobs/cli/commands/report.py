"""`varve report`."""

import typer

from jobs.cli.options import ClusterOption, chosen_clusters, settings_of
from jobs.errors import VarveError


def report(context: typer.Context, cluster: ClusterOption = None) -> None:
    """Write the HTML report of each cluster and print where it is."""
    from jobs.report import write_report

    settings = settings_of(context)
    failures: list[str] = []
    for name in chosen_clusters(settings, cluster):
        try:
            typer.echo(write_report(settings, name))
        except VarveError as error:
            failures.append(f"{name}: {error}")
    if failures:
        raise VarveError("\n".join(failures))
