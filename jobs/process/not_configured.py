"""Places that a source looked at once, and that varve.yaml does not name any more: they are not seen, and not gone."""

from collections.abc import Collection, Mapping

from jobs.lake.coverage import is_outside
from jobs.lake.state import scopes_where
from jobs.lake.write import DeltaTables
from jobs.process.snapshot_input import SnapshotInput
from jobs.process.state import State
from schemas.snapshots import Gap, GapReason


def not_configured(
    delta: DeltaTables, snapshot: SnapshotInput, raw: Mapping[str, State]
) -> dict[str, tuple[Gap, ...]]:
    """By source, a gap for each place of which the lake still has rows though nobody looks there any more."""
    found: dict[str, set[str]] = {}
    for state in raw.values():
        source = state.table.source
        if (looked_at := snapshot.looked_at(source)) is not None:
            outside = is_outside(state.table, source, looked_at)
            scopes = scopes_where(delta.duckdb, state.rows, state.table, source, outside)
            found.setdefault(source, set()).update(left(scope, looked_at) for scope in scopes)
    return {
        source: tuple(
            Gap(scope, GapReason.NOT_CONFIGURED, _why(delta.cluster, scope)) for scope in sorted(scopes)
        )
        for source, scopes in found.items()
    }


def left(scope: str, looked_at: Collection[str]) -> str:
    """The highest place around a scope below which nothing is looked at: `/3` when broker 3 is left altogether."""
    names = scope.split("/")
    places = ("/".join(names[:depth]) for depth in range(2, len(names) + 1))
    return next(
        place for place in places if not any(f"{each}/".startswith(f"{place}/") for each in looked_at)
    )


def _why(cluster: str, scope: str) -> str:
    return (
        "varve.yaml does not name it any more: name it again, or, if it is gone for good, call "
        f"`varve dismiss {cluster} {scope}`"
    )
