"""What a snapshot brought, in a few lines."""

import typer

from jobs.settings import Settings
from jobs.storage import open_storage


def print_outcome(settings: Settings, cluster: str) -> None:
    """As of when the lake now is, how much happened since the snapshot before, and what is wrong."""
    from jobs.cli.answer import print_as_of
    from jobs.lake.read import open_reader

    lake = open_reader(open_storage(settings.lake), [cluster])
    newest = lake.as_of[0].snapshot_id
    ((events,),) = lake.query(f"SELECT count(*) FROM events WHERE snapshot_id = '{newest}'").rows
    found = lake.query(
        "SELECT severity, count(*) FROM findings WHERE status = 'open' GROUP BY ALL ORDER BY severity"
    ).rows
    ((not_current,),) = lake.query("SELECT count(not_seen_since) FROM findings WHERE status = 'open'").rows
    print_as_of(lake)
    typer.echo(f"  events since the snapshot before: {events}")
    typer.echo(
        f"  open findings: {', '.join(f'{count} {severity}' for severity, count in found) or 'none'}"
        + (f"; {not_current} of them could not be judged now" if not_current else "")
        + (f" (varve findings --cluster {cluster})" if found else "")
    )
