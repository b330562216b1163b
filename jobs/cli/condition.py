"""The condition of a cluster in one row, from its lake alone."""

from datetime import UTC, datetime
from typing import Any

from jobs.cli.answer import not_seen
from jobs.cli.instant import ago
from jobs.lake.read import NoSnapshotError, open_reader
from jobs.settings import Settings
from jobs.storage import open_storage
from schemas.judgement import Severity

_WORST_FIRST = tuple(reversed(Severity))
_HEAD = ("cluster", "snapshot_id", "captured_at", "age", "status")
COLUMNS = (*_HEAD, *_WORST_FIRST, "not_current", "sources", "not_seen")


def condition(settings: Settings, cluster: str) -> tuple[Any, ...]:
    """A row of `COLUMNS`: the last snapshot, how old and how whole it is, and the open findings by severity.

    `not_current` counts those of them that the last snapshot could not judge.
    """
    try:
        lake = open_reader(open_storage(settings.lake), [cluster])
    except NoSnapshotError:
        missing = f"no snapshot yet: run varve snapshot {cluster}"
        return (cluster, None, None, None, missing, *[None] * len(_WORST_FIRST), None, None, None)
    (as_of,) = lake.as_of
    open_findings = dict(
        lake.query("SELECT severity, count(*) FROM findings WHERE status = 'open' GROUP BY ALL").rows
    )
    ((not_current,),) = lake.query("SELECT count(not_seen_since) FROM findings WHERE status = 'open'").rows
    (sources,) = lake.query("SELECT sources FROM snapshots ORDER BY snapshot_id DESC LIMIT 1").rows[0]
    return (
        cluster,
        as_of.snapshot_id,
        as_of.captured_at.replace(microsecond=0),
        ago(as_of.captured_at, datetime.now(UTC)),
        as_of.status,
        *[open_findings.get(severity, 0) for severity in _WORST_FIRST],
        not_current,
        ", ".join(f"{source['source']} {source['status']}" for source in sources),
        not_seen(as_of) or None,
    )
