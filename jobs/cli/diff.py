"""What differs between two states, of one cluster at two times or of two clusters: object by object, column by column."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from jobs.cli.side import Side
from jobs.lake.commits import AsOf
from jobs.lake.duckdb_sql import name
from jobs.lake.sandbox import open_sandbox
from jobs.objects.parts.kind import ObjectKind, Row

if TYPE_CHECKING:
    import duckdb

_NAMED = 3
_NUMBERED = re.compile(r"(\D*)(\d*)", re.ASCII)
_DIFFERENT = """
SELECT before, after, touched FROM pairs
WHERE differs AND (before IS NOT NULL OR NOT unseen_in_old) AND (after IS NOT NULL OR NOT unseen_in_new)
"""


class Difference(NamedTuple):
    """An object's column that differs, or an object that only one side has; the columns of `varve diff`."""

    cluster: str
    kind: str
    name: str
    what: str
    column: str | None
    """None where one side has no such object: its value is then all that is known of it."""
    old: Any
    new: Any
    partitions_touched: int


class Unseen(NamedTuple):
    """Objects of a kind that a side's snapshot did not see; `examples` are a few of their names."""

    as_of: AsOf
    kind: str
    objects: int
    examples: list[str]


@dataclass(frozen=True)
class Sides:
    """The two states that are compared."""

    old: Side
    new: Side

    @property
    def is_one_cluster(self) -> bool:
        return self.old.cluster == self.new.cluster

    @property
    def cluster(self) -> str:
        """`orders`, or `orders, billing`."""
        return self.old.cluster if self.is_one_cluster else f"{self.old.cluster}, {self.new.cluster}"

    @property
    def caveat(self) -> str:
        """What cannot be compared where the sides follow different sources; empty where they do not."""
        if self.old.authority == self.new.authority:
            return ""
        return (
            f"not compared: columns that only one source knows, as the tables follow {self.old.authority} "
            f"in {self.old.as_of.snapshot_id} and {self.new.authority} in {self.new.as_of.snapshot_id}"
        )

    def what(self, has_old: bool, has_new: bool) -> str:
        """What is said of an object that both sides have, or only one of them."""
        if has_old and has_new:
            return "changed" if self.is_one_cluster else "differs"
        if self.is_one_cluster:
            return "deleted" if has_old else "created"
        return f"only in {self.old.cluster if has_old else self.new.cluster}"


def compare(sides: Sides, kinds: Mapping[str, ObjectKind]) -> tuple[list[Difference], list[Unseen]]:
    """What differs in objects of these kinds, first what touches most partitions, and what a side has not seen.

    What is missing on a side that did not see where it stands is no difference. Where the sides follow different sources,
    a column that one of them does not know is none, either.
    """
    differences: list[Difference] = []
    unseen: list[Unseen] = []
    for side in (sides.old, sides.new):
        side.reader.look_up([kind.table.name for kind in kinds.values()])
    for kind_name, kind in kinds.items():
        with open_sandbox() as connection:
            _join(connection, sides, kind)
            differences += _differences(connection, sides, kind_name, kind)
            unseen += _unseen(connection, sides, kind_name, kind)
    return sorted(differences, key=_by_weight), unseen


def _by_weight(difference: Difference) -> tuple[int, str, list[tuple[str, int]]]:
    """`orders-9` comes before `orders-10`."""
    name = [(text, int(number or -1)) for text, number in _NUMBERED.findall(difference.name)]
    return -difference.partitions_touched, difference.kind, name


def _compared(sides: Sides, kind: ObjectKind) -> list[str]:
    left_out = {*kind.table.key, *(() if sides.is_one_cluster else kind.of_its_cluster)}
    return [column for column in kind.table.column_names if column not in left_out]


def _join(connection: "duckdb.DuckDBPyConnection", sides: Sides, kind: ObjectKind) -> None:
    """Create the table `pairs`: every object that differs, or that a side has not seen, with its rows on both sides."""
    connection.register("old", sides.old.rows(kind, other=sides.new))
    connection.register("new", sides.new.rows(kind, other=sides.old))
    key = kind.table.key
    packed = ", ".join(f"{each} := {each}" for each in map(name, [*key, *_compared(sides, kind)]))
    side = f"SELECT *, struct_pack({packed}) AS packed FROM"
    same_key = [f"a.{each} IS NOT DISTINCT FROM b.{each}" for each in map(name, key)]
    connection.execute(
        "CREATE TABLE pairs AS SELECT a.packed AS before, b.packed AS after, "
        "greatest(coalesce(a.touched_, 0), coalesce(b.touched_, 0)) AS touched, "
        "a.packed IS DISTINCT FROM b.packed AS differs, "
        "coalesce(NOT a.is_current_, b.is_unseen_there_) AS unseen_in_old, "
        "coalesce(NOT b.is_current_, a.is_unseen_there_) AS unseen_in_new "
        f"FROM ({side} old) AS a FULL JOIN ({side} new) AS b ON {' AND '.join(same_key) or 'true'} "
        "WHERE differs OR unseen_in_old OR unseen_in_new"
    )


def _differences(
    connection: "duckdb.DuckDBPyConnection", sides: Sides, kind_name: str, kind: ObjectKind
) -> Iterator[Difference]:
    is_one_source = sides.old.authority == sides.new.authority
    for before, after, touched in connection.execute(_DIFFERENT).fetchall():
        what = sides.what(before is not None, after is not None)
        about = (sides.cluster, kind_name, kind.name_of(after or before), what)
        if before is None or after is None:
            yield Difference(*about, None, _known(kind, before), _known(kind, after), touched)
            continue
        for column in _compared(sides, kind):
            both = before[column], after[column]
            if both[0] != both[1] and (is_one_source or None not in both):
                yield Difference(*about, column, *both, touched)


def _known(kind: ObjectKind, row: Row | None) -> dict[str, Any] | None:
    if row is None:
        return None
    return {
        column: value for column, value in row.items() if value is not None and column not in kind.table.key
    }


def _unseen(
    connection: "duckdb.DuckDBPyConnection", sides: Sides, kind_name: str, kind: ObjectKind
) -> Iterator[Unseen]:
    for side, column in ((sides.old, "unseen_in_old"), (sides.new, "unseen_in_new")):
        unseen = f"FROM pairs WHERE {column}"
        ((count,),) = connection.execute(f"SELECT count(*) {unseen}").fetchall()
        if count:
            some = connection.execute(
                f"SELECT coalesce(before, after) AS row {unseen} ORDER BY row LIMIT {_NAMED}"
            )
            yield Unseen(side.as_of, kind_name, count, [kind.name_of(row) for (row,) in some.fetchall()])
