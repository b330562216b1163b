"""`varve snapshot`."""

from typing import Annotated

import typer

from jobs.cli.options import SnapshotIdOption, chosen_clusters, settings_of, snapshot_id_or_now
from jobs.cli.terminal import busy
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
    from jobs.cli.answer import print_outcome
    from jobs.lake.snapshot_id import logical_time, snapshot_id_at
    from jobs.landing.order import abandon as give_up
    from jobs.landing.order import only_writer
    from jobs.process.snapshot import snapshot as take
    from jobs.storage import open_storage

    settings = settings_of(context)
    clusters = chosen_clusters(settings, cluster)
    if abandon is not None:
        if len(clusters) != 1:
            raise UsageError(f"Name the cluster of the snapshot: varve snapshot CLUSTER --abandon {abandon}")
        storage = open_storage(settings.lake)
        with only_writer(storage, clusters[0]):
            give_up(storage, clusters[0], snapshot_id_at(logical_time(abandon)))
        typer.echo(f"snapshot {abandon} of {clusters[0]} is given up: nothing of it will be seen")
        return
    chosen = snapshot_id_or_now(snapshot_id)
    failures: list[str] = []
    for name in clusters:
        try:
            with busy(f"taking snapshot {chosen} of {name}"):
                take(settings, name, chosen)
            print_outcome(settings, name)
        except VarveError as error:
            failures.append(f"{name}: {error}")
    if failures:
        raise VarveError("\n".join(failures))
