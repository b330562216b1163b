"""`varve process`."""

import typer

from jobs.cli.landed import newest_landed
from jobs.cli.options import ClusterArgument, SnapshotIdOption, settings_of, snapshot_id_or_now


def process(
    context: typer.Context,
    cluster: ClusterArgument,
    snapshot_id: SnapshotIdOption = None,
) -> None:
    """Turn what landed into tables, events, findings and expectations, and commit it."""
    from jobs.process import process as make_tables

    settings = settings_of(context)
    settings.cluster(cluster)
    chosen = snapshot_id_or_now(snapshot_id) if snapshot_id else newest_landed(settings.lake, cluster)
    make_tables(settings, cluster, chosen)
