"""`varve sql`."""

from typing import Annotated

import typer

from jobs.cli.options import AtOption, ClusterOption, Format, FormatOption, chosen_clusters, settings_of
from jobs.cli.terminal import busy


def sql(
    context: typer.Context,
    query: Annotated[str, typer.Argument(help="A SELECT over the lake's tables.", show_default=False)],
    at: AtOption = None,
    cluster: ClusterOption = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """Ask the lake in SQL.

    Every table X is there as it is now. A table of things that are is there also as X_history, with valid_from
    and valid_to, and as X_at('2026-11-21 00:30'). SHOW TABLES and DESCRIBE X tell what there is.
    """
    from jobs.cli.answer import print_answer
    from jobs.cli.instant import point_in_time
    from jobs.lake.read import open_reader
    from jobs.storage import open_storage

    settings = settings_of(context)
    reader = open_reader(
        open_storage(settings.lake), chosen_clusters(settings, cluster), point_in_time(at) if at else None
    )
    with busy("asking the lake"):
        answer = reader.query(query)
    print_answer(answer, reader, form)
