"""`varve collect`."""

from typing import Annotated

import typer

from jobs.cli.options import ClusterArgument, SnapshotIdOption, settings_of, snapshot_id_or_now
from jobs.cli.terminal import busy
from jobs.errors import UsageError, VarveError
from schemas.snapshots import SourceStatus


def collect(
    context: typer.Context,
    cluster: ClusterArgument,
    source: Annotated[
        str, typer.Argument(help="A source of the cluster, such as zookeeper.", show_default=False)
    ],
    snapshot_id: SnapshotIdOption = None,
) -> None:
    """Read one source of a cluster and land it."""
    from jobs.cli.answer import gap_in_words, print_landed
    from jobs.landing.collect import collect as read_source

    settings = settings_of(context)
    if source not in (known := settings.cluster(cluster).sources):
        raise UsageError(
            f"Cluster {cluster} has no source {source!r} in varve.yaml; it has: {', '.join(known)}"
        )
    with busy(f"reading {source} of {cluster}"):
        manifest = read_source(settings, cluster, source, snapshot_id_or_now(snapshot_id))
    if manifest.status is SourceStatus.FAILED:
        raise VarveError(
            f"{source} of {cluster} could not be read: {'; '.join(map(gap_in_words, manifest.gaps))}"
        )
    print_landed(manifest, cluster)
