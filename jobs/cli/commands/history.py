"""`varve history`."""

from typing import Annotated

import typer

from jobs.cli.options import (
    ClusterOption,
    Format,
    FormatOption,
    SinceOption,
    UntilOption,
    chosen_clusters,
    settings_of,
)


def history(
    context: typer.Context,
    kind: Annotated[str, typer.Argument(help="Kind of object, such as partition.", show_default=False)],
    name: Annotated[
        list[str] | None,
        typer.Argument(help="Which one, such as orders-3.", show_default=False),
    ] = None,
    since: SinceOption = None,
    until: UntilOption = None,
    cluster: ClusterOption = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """Tell the life of one object: every version, what changed, and what happened around it.

    For example: topic orders · partition orders-3 · broker 2 · broker-setting 2 min.insync.replicas · broker-log-dir 2 ·
    config topic orders retention.ms · quorum-member 3 · replica 2 orders-3 · znode /controller.
    """
    from jobs.cli.answer import print_as_of, print_rows
    from jobs.cli.history import Version, history_of, not_seen_now, refuse_unknown
    from jobs.cli.instant import period
    from jobs.cli.life import print_life, unseen_line
    from jobs.lake.read import open_reader
    from jobs.objects.parts.kind import object_kind
    from jobs.storage import open_storage

    chosen = object_kind(kind)
    key = chosen.key_of(name or [])
    within = period(since, until)
    settings = settings_of(context)
    reader = open_reader(open_storage(settings.lake), chosen_clusters(settings, cluster))
    versions = history_of(reader, chosen, key, *within)
    if not versions:
        refuse_unknown(reader, chosen, key)
    if form is Format.TABLE:
        print_life(kind, versions)
    else:
        print_rows(Version._fields, versions, form)
    is_aside = form is not Format.TABLE
    for of_cluster, names in not_seen_now(reader, chosen, key).items():
        typer.echo(unseen_line(of_cluster, kind, names), err=is_aside)
    print_as_of(reader, err=is_aside)
