"""What a table is: a value with typed columns, their meaning, a key, and where the rows come from."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Kind(StrEnum):
    """How the rows of a table are appended and kept."""

    STATE = "state"
    """Things that are. Only changes are appended, in eras that open with a keyframe."""
    SERIES = "series"
    """Things that differ in every snapshot, such as offsets. Every snapshot appends all its rows."""
    LOG = "log"
    """Things that happened. A snapshot appends what it saw happen."""


@dataclass(frozen=True)
class Column:
    """One column: a Spark type (`BIGINT`, `ARRAY<INT>`, …) and what it means.

    `required` columns are never null; `one_of` names every legal value.
    Both become Great Expectations expectations, `required` also `NOT NULL` in the DDL.

    `scopes` names the place of the value in a source, for each source in which that is another place than the row's.
    The value is null until a snapshot has seen that place: what was never seen is unknown, not empty.
    """

    name: str
    type: str
    meaning: str
    required: bool = False
    one_of: tuple[str | int, ...] = ()
    scopes: Mapping[str, str] = field(default_factory=dict)


PROBLEM = Column(
    "problem", "STRING", "what was malformed in Kafka's own record of this, or that it has several; else null"
)


@dataclass(frozen=True)
class Table:
    """A table of the lake.

    A table is collected by one `source`, derived from other tables, or written by Varve about its own work
    (snapshots, events, findings). The collector of a source lands exactly `columns`.

    `inputs` says, for each source that a derived table can follow, the names of the tables that it is then made
    from: the parameters of the function `from_<source>` in `jobs/tables/<table>.py`. An input may be collected by
    another source, such as the files on a broker's disk that complete what the Kafka API says.

    `scopes` says, for each source, where a row of this table stands in that source's own namespace, as a
    template over the row's columns (`/brokers/topics/{topic}`). A coverage gap at a scope covers every row
    at or below it: such a row was not seen, which is not the same as deleted.

    `subtrees` says which paths of the ZooKeeper tree a derived table is made from. `from_zookeeper` is given only the
    znodes at or below them (every znode where none is named), and is not called when none of these has changed.
    """

    name: str
    kind: Kind
    meaning: str
    columns: tuple[Column, ...]
    key: tuple[str, ...]
    source: str = ""
    inputs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    scopes: Mapping[str, str] = field(default_factory=dict)
    subtrees: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        self._check_columns()
        self._check_sources()

    def _check_columns(self) -> None:
        names = self.column_names
        if len(names) != len(set(names)):
            raise ValueError(f"{self.name}: a column is named twice")
        if unknown := set(self.key) - set(names):
            raise ValueError(f"{self.name}: key columns {sorted(unknown)} are not columns")
        if reserved := set(names) & {column.name for column in BOOKKEEPING[self.kind]}:
            raise ValueError(f"{self.name}: {sorted(reserved)} are written by the lake itself")

    def _check_sources(self) -> None:
        if self.source and self.inputs:
            raise ValueError(f"{self.name}: a table is collected or derived, not both")
        if self.source and self.source not in self.scopes and self.kind is not Kind.LOG:
            raise ValueError(f"{self.name}: says no scope for its source {self.source}")
        if missing := self.inputs.keys() - self.scopes.keys():
            raise ValueError(f"{self.name}: says no scope for {sorted(missing)}, which it has inputs of")
        if self.inputs and (missing := self.scopes.keys() - self.inputs.keys()):
            raise ValueError(f"{self.name}: says no inputs of {sorted(missing)}, which it has a scope for")

    @property
    def column_names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)

    @property
    def stored_columns(self) -> tuple[Column, ...]:
        """All columns as they lie in Delta: the cluster, the table's own, the lake's bookkeeping."""
        return (CLUSTER, *self.columns, *BOOKKEEPING[self.kind])

    @property
    def partition_columns(self) -> tuple[str, ...]:
        return PARTITIONS[self.kind]


CLUSTER = Column("cluster", "STRING", "name of the cluster in varve.yaml", required=True)

_GENERATION = Column(
    "generation",
    "INT",
    "which computation of the past this row belongs to; a rebuild opens a new one",
    required=True,
)

_WRITTEN_BY = Column(
    "written_by",
    "STRING",
    "attempt at a snapshot that appended this row; only those that `snapshots` names count. Null in rows of old releases, "
    "of which every attempt counted",
)

BOOKKEEPING: Mapping[Kind, tuple[Column, ...]] = {
    Kind.STATE: (
        Column(
            "op",
            "STRING",
            "what happened to the row: keyframe repeats a living row when an era opens",
            required=True,
            one_of=("keyframe", "create", "update", "delete"),
        ),
        Column("changed_at", "TIMESTAMP", "when the last change of the row was captured", required=True),
        Column("snapshot_id", "STRING", "snapshot that saw the last change of the row", required=True),
        Column("written_by", "STRING", "attempt at a snapshot that appended this row", required=True),
        _GENERATION,
        Column("era", "STRING", "attempt at a snapshot that opened the era", required=True),
    ),
    Kind.SERIES: (
        Column("captured_at", "TIMESTAMP", "when the row was read from its source", required=True),
        Column("snapshot_id", "STRING", "snapshot that appended this row", required=True),
        _WRITTEN_BY,
        _GENERATION,
        Column("day", "DATE", "day of captured_at, UTC", required=True),
    ),
    Kind.LOG: (
        Column("snapshot_id", "STRING", "snapshot that appended this row", required=True),
        _WRITTEN_BY,
        _GENERATION,
    ),
}

PARTITIONS: Mapping[Kind, tuple[str, ...]] = {
    Kind.STATE: ("generation", "era"),
    Kind.SERIES: ("generation", "day"),
    Kind.LOG: ("generation",),
}
