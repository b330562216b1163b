"""`varve process`."""

from typing import Annotated

import typer

from jobs.cli.options import ClusterArgument, settings_of, snapshot_id_or_now
from jobs.cli.terminal import busy


def process(
    context: typer.Context,
    cluster: ClusterArgument,
    snapshot_id: Annotated[
        str | None,
        typer.Option(help="Id of a snapshot that landed.", show_default="the newest that is not committed"),
    ] = None,
) -> None:
    """Turn what landed into tables, events, findings and expectations, and commit it."""
    from jobs.cli.answer import print_outcome
    from jobs.cli.options import newest_landed
    from jobs.process import process as make_tables

    settings = settings_of(context)
    settings.cluster(cluster)
    chosen = snapshot_id_or_now(snapshot_id) if snapshot_id else newest_landed(settings, cluster)
    with busy(f"processing {chosen} of {cluster}"):
        make_tables(settings, cluster, chosen)
    print_outcome(settings, cluster)
