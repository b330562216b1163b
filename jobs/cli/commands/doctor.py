"""`varve doctor`."""

import typer

from jobs.cli.options import Format, FormatOption


def doctor(context: typer.Context, form: FormatOption = Format.TABLE) -> None:
    """Try everything Varve needs: Java, Spark, the settings, each cluster's sources, the lake."""
    from jobs.cli.answer import print_rows
    from jobs.doctor import examine
    from jobs.settings import settings_path

    probes = examine(settings_path(context.obj))
    print_rows(("what", "ok", "message"), [(probe.what, probe.ok, probe.message) for probe in probes], form)
    if not all(probe.ok for probe in probes):
        raise typer.Exit(1)
