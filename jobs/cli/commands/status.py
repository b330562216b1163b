"""`varve status`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any

import typer

from jobs.cli.options import ClusterOption, Format, FormatOption, chosen_clusters, settings_of
from jobs.wording import ago
from schemas.judgement import Severity

if TYPE_CHECKING:
    from jobs.storage import Storage

_WORST_FIRST = tuple(reversed(Severity))
_SNAPSHOT = ("cluster", "snapshot_id", "captured_at", "age", "status")
_COLUMNS = (*_SNAPSHOT, *_WORST_FIRST, "ignored", "not_current", "sources", "not_seen")


def status(context: typer.Context, cluster: ClusterOption = None, form: FormatOption = Format.TABLE) -> None:
    """Show what is wrong now, in all clusters, the worst first, and how each cluster was seen; from the lake alone."""
    from jobs.cli.answer import print_rows
    from jobs.side_by_side import side_by_side
    from jobs.storage import open_storage

    settings = settings_of(context)
    clusters = chosen_clusters(settings, cluster)
    storage = open_storage(settings.lake).settled()
    if form is Format.TABLE:
        _print_incidents(storage, clusters)
    conditions = side_by_side(partial(_condition, storage), clusters)
    print_rows(_COLUMNS, conditions, form)


def _print_incidents(storage: Storage, clusters: Sequence[str]) -> None:
    """What is wrong in any of the clusters; nothing where none has a snapshot."""
    from jobs.cli.incidents import print_incidents
    from jobs.cli.terminal import console_on_stdout
    from jobs.incidents.read import read_incidents
    from jobs.lake.read import NoSnapshotError, open_reader

    try:
        reader = open_reader(storage, clusters)
    except NoSnapshotError:
        return
    print_incidents(console_on_stdout(), read_incidents(reader), datetime.now(UTC))


def _condition(storage: Storage, cluster: str) -> tuple[Any, ...]:
    """A row of `_COLUMNS`: the newest snapshot, how old it is and what it did not see, and the open findings.

    `ignored` counts those that varve.yaml says to ignore, which count nowhere else; `not_current` the findings that the
    newest snapshot could not judge.
    """
    from jobs.cli.answer import not_seen, open_findings
    from jobs.lake.read import NoSnapshotError, open_reader

    try:
        reader = open_reader(storage, [cluster])
    except NoSnapshotError:
        missing = f"no snapshot yet: run varve snapshot {cluster}"
        return (cluster, None, None, None, missing, *[None] * len(_WORST_FIRST), None, None, None, None)
    (as_of,) = reader.as_of
    by_severity, ignored, not_judged = open_findings(reader)
    (sources,) = reader.query("SELECT sources FROM snapshots ORDER BY snapshot_id DESC LIMIT 1").rows[0]
    return (
        cluster,
        as_of.snapshot_id,
        as_of.captured_at.replace(microsecond=0),
        ago(as_of.captured_at, datetime.now(UTC)),
        as_of.status,
        *[by_severity.get(severity, 0) for severity in _WORST_FIRST],
        ignored,
        not_judged,
        ", ".join(f"{source['source']} {source['status']}" for source in sources),
        not_seen(as_of) or None,
    )
