"""`varve collect`."""

from typing import Annotated

import typer

from jobs.cli.options import ClusterArgument, SnapshotIdOption, settings_of, snapshot_id_or_now
from jobs.cli.terminal import busy
from jobs.errors import UsageError, VarveError
from jobs.wording import printable
from schemas.snapshots import SourceStatus


def collect(
    context: typer.Context,
    cluster: ClusterArgument,
    source: Annotated[str, typer.Argument(help="Source: zookeeper, kafka or log_dirs.", show_default=False)],
    snapshot_id: SnapshotIdOption = None,
) -> None:
    """Read one source of a cluster and land it."""
    from jobs.landing.collect import collect as read_source

    settings = settings_of(context)
    if source not in (known := settings.cluster(cluster).sources):
        raise UsageError(
            f"Cluster {cluster} has no source {source!r} in varve.yaml; it has: {', '.join(known)}"
        )
    with busy(f"reading {source} of {cluster}"):
        manifest = read_source(settings, cluster, source, snapshot_id_or_now(snapshot_id))
    gaps = [printable(f"{gap.scope} ({gap.reason}): {gap.message}") for gap in manifest.gaps]
    if manifest.status is SourceStatus.FAILED:
        raise VarveError(f"{source} of {cluster} could not be read: {'; '.join(gaps)}")
    typer.echo(
        f"{source} of {cluster} landed as {manifest.snapshot_id}: {sum(manifest.rows.values())} rows, {manifest.status}"
    )
    for gap in gaps:
        typer.echo(f"not seen: {gap}", err=True)
