"""`varve import`."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from jobs.cli.instant import point_in_time
from jobs.cli.options import T, settings_of
from jobs.cli.terminal import busy
from jobs.wording import printable

if TYPE_CHECKING:
    from jobs.bundles.import_bundle import Imported

_REFUSED_SHOWN = 5


def import_(
    context: typer.Context,
    path: Annotated[Path, typer.Argument(help="Support bundle: a folder or a tar.", show_default=False)],
    cluster: Annotated[str, typer.Option(help="Name of the cluster in varve.yaml.", show_default=False)],
    at: Annotated[str, typer.Option(metavar="T", help=f"When the bundle was made. {T}", show_default=False)],
) -> None:
    """Import what a support bundle holds of a cluster, as a snapshot."""
    from jobs.bundles.import_bundle import import_bundle
    from jobs.cli.answer import print_outcome
    from jobs.lake.sight import Sight
    from jobs.lake.snapshot_id import logical_time, snapshot_id_at
    from jobs.process import process
    from jobs.storage import open_storage

    settings = settings_of(context)
    settings.cluster(cluster)
    instant = point_in_time(at)
    captured_at = instant if isinstance(instant, datetime) else logical_time(instant)
    snapshot_id = snapshot_id_at(captured_at)
    if snapshot_id in Sight(open_storage(settings.lake), cluster):
        typer.echo(f"snapshot {snapshot_id} of {cluster} is there already: nothing was changed")
        return
    with busy(f"importing {path} into {cluster}"):
        imported = import_bundle(settings, cluster, path, captured_at)
    _print_imported(imported, cluster)
    with busy(f"processing {snapshot_id} of {cluster}"):
        process(settings, cluster, snapshot_id)
    print_outcome(settings, cluster)


def _print_imported(imported: Imported, cluster: str) -> None:
    """Print what landed, what was not seen, and what of the bundle was not used."""
    from jobs.cli.answer import print_landed

    for manifest in imported.manifests:
        print_landed(manifest, cluster)
    for source in imported.not_configured:
        typer.echo(f"not used: {source}, which {cluster} does not have in varve.yaml", err=True)
    for name in imported.refused[:_REFUSED_SHOWN]:
        typer.echo(printable(f"not used: {name}"), err=True)
    if (more := len(imported.refused) - _REFUSED_SHOWN) > 0:
        typer.echo(f"not used: {more} more", err=True)
