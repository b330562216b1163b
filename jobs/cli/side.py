"""One side of a comparison: a cluster as of a snapshot, and what that snapshot did not see."""

from functools import cached_property
from typing import TYPE_CHECKING

from jobs.lake.authority import source_of
from jobs.lake.commits import AsOf
from jobs.lake.coverage import is_unseen
from jobs.lake.duckdb_sql import name
from jobs.lake.read import LakeReader
from jobs.objects.parts.kind import ObjectKind

if TYPE_CHECKING:
    import pyarrow as pa

_NEWEST = (
    "SELECT authority, [each.source FOR each IN sources] FROM snapshots ORDER BY snapshot_id DESC LIMIT 1"
)


class Side:
    """`reader` has opened one cluster."""

    def __init__(self, reader: LakeReader) -> None:
        self.reader = reader

    @cached_property
    def as_of(self) -> AsOf:
        """The snapshot, and what it did not see."""
        (as_of,) = self.reader.as_of
        return as_of

    @property
    def cluster(self) -> str:
        return self.as_of.cluster

    @property
    def authority(self) -> str:
        """The source that its typed tables follow."""
        return self._newest[0]

    def rows(self, kind: ObjectKind, other: "Side") -> "pa.Table":
        """Every object of the kind: its columns, `touched_`, `is_current_`, and `is_unseen_there_`.

        The first counts partitions, the last says whether the snapshot of the other side did not see where it stands.
        """
        columns = ", ".join(f"state.{name(each)}" for each in kind.table.column_names)
        with self.reader.batches(
            f"SELECT {columns}, {kind.touched} AS touched_, state.is_current AS is_current_, "
            f"{other._has_not_seen(kind)} AS is_unseen_there_ FROM {kind.table.name} AS state"
        ) as batches:
            return batches.read_all()

    def _has_not_seen(self, kind: ObjectKind) -> str:
        """SQL over the alias `state`: whether its snapshot did not see where a row stands."""
        gaps = {
            source: [gap.scope for of, gap in self.as_of.gaps if of == source] for source in self._newest[1]
        }
        return is_unseen(kind.table, source_of(kind.table, self.authority), gaps)

    @cached_property
    def _newest(self) -> tuple[str, list[str]]:
        """The source with authority, and the sources that the snapshot was to read."""
        ((authority, sources),) = self.reader.query(_NEWEST).rows
        return authority, sources
