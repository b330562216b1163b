"""`varve doctor`."""

import typer

from jobs.cli.options import Format, FormatOption
from jobs.cli.terminal import busy


def doctor(context: typer.Context, form: FormatOption = Format.TABLE) -> None:
    """Try everything Varve needs: Java, Spark, the settings, the lake, each cluster's sources."""
    from jobs.cli.answer import print_rows
    from jobs.cli.doctor import examine
    from jobs.settings import settings_path

    with busy("trying everything"):
        probes = examine(settings_path(context.obj))
    print_rows(("what", "ok", "message"), [(each.what, each.ok, each.message) for each in probes], form)
    if not all(probe.ok for probe in probes):
        raise typer.Exit(1)
