"""What a kind of object is: the table it lives in, how a person names one, and which events may say why it changed.

A module of `jobs/objects` holds one kind as `KIND`; the module's name, in kebab-case, is the kind's.
"""

import difflib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from jobs import objects
from jobs.discovery import values
from jobs.errors import UsageError
from schemas.table import Table

Row = Mapping[str, Any]
"""The columns of one row of the kind's table by name."""


def _by_its_key(row: Row, key: Sequence[str]) -> str:
    return " ".join("" if row[name] is None else str(row[name]) for name in key)


@dataclass(frozen=True)
class ObjectKind:
    """A kind of object.

    `words` says how one is named after its kind on the command line, for its help: `TOPIC-PARTITION`.
    `chosen` makes of these words the values of key columns that they name; fewer words may name several objects. It
    raises ValueError when they name none. Left out, the words are the columns of the key in their order.
    `named` is the name of a row's object; left out, the values of its key.
    `subjects` are the subjects of events that may say why the row is as it is, its own first.
    `touched` is SQL over the alias `state`, a row of the table: how many partitions it concerns.
    `of_its_cluster` are columns whose values mean nothing in another cluster, such as ids and epochs.
    `is_aside` says that it changes with what other kinds tell, such as znodes: it is compared only when it is asked for.
    """

    table: Table
    words: str
    chosen: Callable[[Sequence[str]], Mapping[str, Any]] | None = None
    named: Callable[[Row], str] | None = None
    subjects: Callable[[Row], Iterable[str]] = lambda _: ()
    touched: str = "0"
    of_its_cluster: tuple[str, ...] = ()
    is_aside: bool = False

    def key_of(self, words: Sequence[str]) -> Mapping[str, Any]:
        """The key columns that the words name, with their values. Raises UsageError when they are no name of the kind."""
        try:
            return self.chosen(words) if self.chosen else self._in_order(words)
        except ValueError:
            raise UsageError(f"{' '.join(words)!r} is no name of this kind: write {self.words}") from None

    def name_of(self, row: Row) -> str:
        """What a person calls the object of this row."""
        return self.named(row) if self.named else _by_its_key(row, self.table.key)

    def _in_order(self, words: Sequence[str]) -> Mapping[str, Any]:
        if len(words) > len(self.table.key) or (not words and self.table.key):
            raise ValueError
        types = {column.name: column.type for column in self.table.columns}
        return {
            name: int(word) if types[name] in ("INT", "BIGINT") else word
            for name, word in zip(self.table.key, words, strict=False)
        }


def object_kinds() -> dict[str, ObjectKind]:
    """Every kind by its name. Raises ValueError when a module holds none."""
    return {name.replace("_", "-"): kind for name, kind in values(objects, "KIND", ObjectKind).items()}


def object_kind(name: str) -> ObjectKind:
    """The kind of that name. Raises UsageError with those that are near when there is none."""
    kinds = object_kinds()
    if name in kinds:
        return kinds[name]
    near = difflib.get_close_matches(name, kinds, n=2)
    hint = f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(kinds)}"
    raise UsageError(f"There is no kind of object {name!r}: {hint}")
