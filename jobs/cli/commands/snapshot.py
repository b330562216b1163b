"""`varve snapshot`."""

from typing import Annotated

import typer

from jobs.cli.options import SnapshotIdOption, chosen_clusters, settings_of, snapshot_id_or_now
from jobs.errors import UsageError, VarveError


def snapshot(
    context: typer.Context,
    cluster: Annotated[
        str | None, typer.Argument(help="Name of the cluster in varve.yaml.", show_default="all clusters")
    ] = None,
    snapshot_id: SnapshotIdOption = None,
    abandon: Annotated[
        str | None, typer.Option(help="Give up this unfinished snapshot of CLUSTER.", show_default=False)
    ] = None,
) -> None:
    """Collect every source of a cluster and process what landed."""
    from jobs.snapshot import abandon as give_up
    from jobs.snapshot import snapshot as take

    settings = settings_of(context)
    clusters = chosen_clusters(settings, cluster)
    if abandon is not None:
        if len(clusters) != 1:
            raise UsageError(
                f"--abandon needs the cluster's name: varve snapshot CLUSTER --abandon {abandon}"
            )
        give_up(settings, clusters[0], abandon)
        return
    snapshot_id = snapshot_id_or_now(snapshot_id)
    failures: list[str] = []
    for name in clusters:
        try:
            take(settings, name, snapshot_id)
        except VarveError as error:
            failures.append(f"{name}: {error}")
    if failures:
        raise VarveError("\n".join(failures))
