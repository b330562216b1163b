"""Words that several commands share, and the settings they lead to."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from jobs.settings import Settings


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
SnapshotIdOption = Annotated[
    str | None,
    typer.Option("--snapshot-id", help="Id of the snapshot, such as 20261121T003000Z.", show_default="now"),
]


def settings_of(context: typer.Context) -> Settings:
    """The settings the call names with --config, `$VARVE_CONFIG` or by standing beside varve.yaml."""
    from jobs.settings import load_settings, settings_path

    return load_settings(settings_path(context.obj))


def chosen_clusters(settings: Settings, cluster: str | None) -> list[str]:
    """The cluster that was named, or all. Raises SettingsError when there is none of that name."""
    if cluster is not None:
        return [settings.cluster(cluster).name]
    return [each.name for each in settings.clusters]


def snapshot_id_or_now(given: str | None) -> str:
    """The id as given, or that of this second.

    Raises UsageError when it is no snapshot id, or far in the future: until then every other would be refused as older.
    """
    from datetime import UTC, datetime, timedelta

    from jobs.errors import UsageError
    from jobs.lake.snapshot_id import logical_time, snapshot_id_at

    now = datetime.now(UTC)
    at = logical_time(given) if given else now
    if at > now + timedelta(days=1):
        raise UsageError(f"{given} is in the future: name the time a snapshot is taken at, in UTC")
    return snapshot_id_at(at)
