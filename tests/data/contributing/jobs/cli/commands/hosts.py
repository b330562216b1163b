"""`varve hosts`."""

import typer

from jobs.cli.options import ClusterOption, Format, FormatOption, chosen_clusters, settings_of


def hosts(context: typer.Context, cluster: ClusterOption = None, form: FormatOption = Format.TABLE) -> None:
    """Which machine each broker runs on."""
    from jobs.cli.answer import print_answer
    from jobs.lake.read import open_reader
    from jobs.storage import open_storage

    settings = settings_of(context)
    lake = open_reader(open_storage(settings.lake), chosen_clusters(settings, cluster))
    print_answer(lake.query("SELECT broker_id, host FROM hosts ORDER BY ALL"), lake, form)
