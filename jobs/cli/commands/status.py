"""`varve status`."""

import typer

from jobs.cli.options import ClusterOption, Format, FormatOption, chosen_clusters, settings_of


def status(context: typer.Context, cluster: ClusterOption = None, form: FormatOption = Format.TABLE) -> None:
    """Is anything wrong right now, over all clusters, from the lake alone."""
    from jobs.cli.answer import print_rows
    from jobs.cli.condition import COLUMNS, condition

    settings = settings_of(context)
    print_rows(COLUMNS, [condition(settings, name) for name in chosen_clusters(settings, cluster)], form)
