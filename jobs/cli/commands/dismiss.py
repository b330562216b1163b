"""`varve dismiss`."""

from typing import Annotated

import typer

from jobs.cli.options import ClusterArgument, settings_of
from jobs.errors import UsageError
from schemas.snapshots import GapReason


def dismiss(
    context: typer.Context,
    cluster: ClusterArgument,
    scope: Annotated[
        str, typer.Argument(help="Scope of a gap that is not-configured, such as /3.", show_default=False)
    ],
) -> None:
    """Say that a place which varve.yaml does not name any more is gone for good."""
    from jobs.lake.read import open_reader
    from jobs.landing.dismissed import dismiss as take_for_gone
    from jobs.storage import open_storage

    settings = settings_of(context)
    settings.cluster(cluster)
    storage = open_storage(settings.lake)
    (as_of,) = open_reader(storage, [cluster]).as_of
    left = {gap.scope: source for source, gap in as_of.gaps if gap.reason == GapReason.NOT_CONFIGURED}
    if scope not in left:
        there = (
            f"those that can be dismissed are {', '.join(sorted(left))}"
            if left
            else "there is none to dismiss"
        )
        raise UsageError(
            f"{scope} is no place of {cluster} that snapshot {as_of.snapshot_id} knew and varve.yaml did not name: {there}"
        )
    take_for_gone(storage, cluster, left[scope], scope)
    typer.echo(f"the next snapshot of {cluster} takes what it knows of {scope} ({left[scope]}) for gone")
