"""`varve events`."""

from typing import Annotated

import typer

from jobs.cli.options import (
    ClusterOption,
    Format,
    FormatOption,
    T,
    UntilOption,
    chosen_clusters,
    settings_of,
)


def events(
    context: typer.Context,
    since: Annotated[
        str, typer.Option("--since", metavar="T", help=f"From then on. {T}", show_default=False)
    ],
    until: UntilOption = None,
    kind: Annotated[
        str | None,
        typer.Option(help="Only this kind, such as broker-left; docs/events.md lists every one."),
    ] = None,
    subject: Annotated[
        str | None, typer.Option(help="Only what happened to this: orders, orders-3, 'broker 2', 'node 3'.")
    ] = None,
    cluster: ClusterOption = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """Show what happened, in time order.

    An event happened between since_at, when its subject was last seen before, and captured_at. Shown is what may have
    happened between --since and --until.
    """
    from jobs.cli.answer import print_query
    from jobs.cli.events import events_query, known_kind
    from jobs.cli.instant import period
    from jobs.lake.read import open_reader
    from jobs.storage import open_storage

    settings = settings_of(context)
    query = events_query(*period(since, until), known_kind(kind) if kind else None, subject)
    print_query(query, open_reader(open_storage(settings.lake), chosen_clusters(settings, cluster)), form)
