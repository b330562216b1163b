"""What a call says: the options that several commands share, and the settings, clusters and times they name."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from jobs.cli.instant import FORMS
from jobs.errors import UsageError
from jobs.lake.snapshot_id import logical_time, snapshot_id_at

if TYPE_CHECKING:
    from jobs.settings import Settings


T = f"T is {FORMS}."
"""Which points in time can be named, for a command's help."""


class Format(StrEnum):
    """How rows are printed."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"


ClusterArgument = Annotated[
    str, typer.Argument(help="Name of the cluster in varve.yaml.", show_default=False)
]
ClusterOption = Annotated[
    str | None, typer.Option("--cluster", help="Only this cluster.", show_default="all clusters")
]
FormatOption = Annotated[Format, typer.Option("--format", help="How to print rows.")]
AtOption = Annotated[
    str | None, typer.Option("--at", metavar="T", help=f"As of then. {T}", show_default="now")
]
SinceOption = Annotated[
    str | None, typer.Option("--since", metavar="T", help=f"From then on. {T}", show_default="the beginning")
]
UntilOption = Annotated[
    str | None, typer.Option("--until", metavar="T", help="Until then, a T as well.", show_default="now")
]
SnapshotIdOption = Annotated[
    str | None,
    typer.Option("--snapshot-id", help="Id of the snapshot, such as 20261121T003000Z.", show_default="now"),
]


def settings_of(context: typer.Context) -> Settings:
    """The settings from the file that --config or `$VARVE_CONFIG` names, else from varve.yaml in this folder."""
    from jobs.settings import load_settings, settings_path

    return load_settings(settings_path(context.obj))


def chosen_clusters(settings: Settings, cluster: str | None) -> list[str]:
    """The cluster that was named, or all. Raises SettingsError when there is none of that name."""
    if cluster is not None:
        return [settings.cluster(cluster).name]
    return [each.name for each in settings.clusters]


def snapshot_id_or_now(given: str | None) -> str:
    """The id as given, or that of this second.

    Raises UsageError when it is no snapshot id, or more than a day in the future: every snapshot until then would be
    refused as older.
    """
    now = datetime.now(UTC)
    at = logical_time(given) if given else now
    if at > now + timedelta(days=1):
        raise UsageError(f"{given} is in the future: name the time a snapshot is taken at, in UTC")
    return snapshot_id_at(at)


def newest_landed(settings: Settings, cluster: str) -> str:
    """The newest snapshot that landed and can be committed. Raises UsageError when there is none."""
    from jobs.lake.sight import Sight
    from jobs.landing.order import landed_snapshots
    from jobs.landing.seals import list_seals
    from jobs.storage import open_storage

    storage = open_storage(settings.lake)
    landed = landed_snapshots(storage, cluster, list(settings.cluster(cluster).sources))
    last = Sight(storage, cluster).last
    newer = {each for each in landed if not last or each > last.snapshot_id}
    waiting = newer - list_seals(storage, cluster).given_up
    if waiting:
        return max(waiting)
    raise UsageError(f"Nothing of {cluster} waits to be processed: run varve collect {cluster} SOURCE first")
