"""The life of one kind of objects: each version, what changed in it, and the events of the snapshot that saw it change."""

import difflib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from typing import Any, NamedTuple

from jobs.errors import UsageError
from jobs.lake.duckdb_sql import instant_of, name, text
from jobs.lake.read import LakeReader
from jobs.objects.parts.kind import ObjectKind, Row

_NAMES_TRIED = 10_000
FIRST_SEEN, CHANGED, DELETED, CREATED_AGAIN = "first-seen", "changed", "deleted", "created-again"


class _Change(NamedTuple):
    """From one version of an object to the next; a row is None where the object is not there."""

    what: str
    before: Row | None
    after: Row | None
    valid_from: datetime
    valid_to: datetime | None

    @property
    def cluster(self) -> str:
        return str((self.after or self.before or {})["cluster"])

    def stood(self, since: datetime | None, until: datetime | None) -> bool:
        began = until is None or self.valid_from <= until
        return began and (since is None or self.valid_to is None or self.valid_to > since)


class Version(NamedTuple):
    """How an object was from one instant to another, or that it was not there; the columns of `varve history`."""

    cluster: str
    name: str
    what: str
    valid_from: datetime
    """When the snapshot that saw the change was captured."""
    valid_to: datetime | None
    snapshot_id: str
    """The snapshot that saw the change."""
    changes: list[dict[str, Any]]
    """`column`, `old` and `new` of each that changed; all that are known where the object is new."""
    events: list[dict[str, Any]]
    """What happened in that snapshot to the object and to what it depends on."""
    value: dict[str, Any]
    """Every known column; empty while the object is deleted."""


def history_of(
    reader: LakeReader,
    kind: ObjectKind,
    key: Mapping[str, Any],
    since: datetime | str | None = None,
    until: datetime | str | None = None,
) -> list[Version]:
    """The versions of the objects with this key that stood at some time between two points, each object's in order."""
    rows = _rows(reader, _query(kind, key))
    lives = groupby(rows, lambda row: (row["cluster"], *(row[each] for each in kind.table.key)))
    changes = [change for _, life in lives for change in _changes(list(life))]
    if since is not None or until is not None:
        within = _bounds(reader, since, until)
        changes = [change for change in changes if change.stood(*within[change.cluster])]
    gone = _snapshot_ids(reader, changes)
    ids = [
        each.after["snapshot_id"] if each.after else gone.get((each.cluster, each.valid_from), "")
        for each in changes
    ]
    happened = _happened(reader, {subject for each in changes for subject in _subjects(kind, each)}, ids)
    return [
        _version(kind, each, snapshot_id, happened.get((each.cluster, snapshot_id), []))
        for each, snapshot_id in zip(changes, ids, strict=True)
    ]


def _query(kind: ObjectKind, key: Mapping[str, Any]) -> str:
    chosen = _conditions(key)
    order = ", ".join(["cluster", *map(name, kind.table.key), "valid_from"])
    where = f"WHERE {' AND '.join(chosen)} " if chosen else ""
    return f"SELECT * FROM {kind.table.name}_history {where}ORDER BY {order}"


def _conditions(key: Mapping[str, Any]) -> list[str]:
    return [
        f"{name(column)} = {text(value) if isinstance(value, str) else value}"
        for column, value in key.items()
    ]


def _rows(reader: LakeReader, query: str) -> list[dict[str, Any]]:
    answer = reader.query(query)
    return [dict(zip(answer.columns, row, strict=True)) for row in answer.rows]


def _changes(life: Sequence[Row]) -> Iterator[_Change]:
    """A change for each row of one object, and one for each time that it was not there."""
    before: Row | None = None
    for row in life:
        if before is None:
            yield _Change(FIRST_SEEN, None, row, row["valid_from"], row["valid_to"])
        elif before["valid_to"] == row["valid_from"]:
            yield _Change(CHANGED, before, row, row["valid_from"], row["valid_to"])
        else:
            yield _Change(DELETED, before, None, before["valid_to"], row["valid_from"])
            yield _Change(CREATED_AGAIN, None, row, row["valid_from"], row["valid_to"])
        before = row
    if before is not None and before["valid_to"] is not None:
        yield _Change(DELETED, before, None, before["valid_to"], None)


def _bounds(
    reader: LakeReader, since: datetime | str | None, until: datetime | str | None
) -> dict[str, tuple[datetime | None, datetime | None]]:
    """By cluster the two points in time as instants."""
    instants = ", ".join("NULL" if at is None else instant_of(at, "c.cluster") for at in (since, until))
    rows = reader.query(
        f"SELECT c.cluster, {instants} FROM (SELECT DISTINCT cluster FROM snapshots) AS c"
    ).rows
    return {cluster: (since_at, until_at) for cluster, since_at, until_at in rows}


def _snapshot_ids(reader: LakeReader, changes: Sequence[_Change]) -> dict[tuple[str, datetime], str]:
    """The snapshots that saw something deleted, by cluster and when it was read.

    A source is read before its snapshot ends, and after the snapshot before it.
    """
    gone = {(change.cluster, change.valid_from) for change in changes if change.after is None}
    if not gone:
        return {}
    values = ", ".join(f"({text(cluster)}, {instant_of(at, 'cluster')})" for cluster, at in sorted(gone))
    found = reader.query(
        "SELECT gone.cluster, gone_at, min(s.snapshot_id) "
        f"FROM (VALUES {values}) AS gone(cluster, gone_at) JOIN snapshots AS s "
        "ON s.cluster = gone.cluster AND s.captured_at >= gone.gone_at GROUP BY ALL"
    )
    return {(cluster, at): snapshot_id for cluster, at, snapshot_id in found.rows}


def _happened(
    reader: LakeReader, subjects: Iterable[str], snapshot_ids: Iterable[str]
) -> dict[tuple[str, str], list[dict[str, Any]]]:
    """What happened to the subjects, by cluster and snapshot."""
    if not (of := ", ".join(map(text, sorted(subjects)))):
        return {}
    found: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in _rows(
        reader,
        "SELECT cluster, snapshot_id, event, subject, from_value, to_value, reason FROM events "
        f"WHERE snapshot_id IN ({', '.join(map(text, sorted(snapshot_ids)))}) AND subject IN ({of}) ORDER BY ALL",
    ):
        found.setdefault((row.pop("cluster"), row.pop("snapshot_id")), []).append(row)
    return found


def _subjects(kind: ObjectKind, change: _Change) -> list[str]:
    """What the object is and depends on, before and after."""
    rows = [row for row in (change.before, change.after) if row is not None]
    return list(dict.fromkeys(subject for row in rows for subject in kind.subjects(row)))


def _version(
    kind: ObjectKind, change: _Change, snapshot_id: str, happened: Sequence[dict[str, Any]]
) -> Version:
    columns = [each for each in kind.table.column_names if each not in kind.table.key]
    old, new = (side or dict.fromkeys(columns) for side in (change.before, change.after))
    subjects = _subjects(kind, change)
    explaining = [event for event in happened if event["subject"] in subjects]
    return Version(
        cluster=change.cluster,
        name=kind.name_of(change.after or change.before or {}),
        what=change.what,
        valid_from=change.valid_from,
        valid_to=change.valid_to,
        snapshot_id=snapshot_id,
        changes=[
            {"column": each, "old": old[each], "new": new[each]}
            for each in columns
            if change.after and old[each] != new[each]
        ],
        events=sorted(explaining, key=lambda event: subjects.index(event["subject"])),
        value={each: new[each] for each in columns if new[each] is not None},
    )


def not_seen_now(reader: LakeReader, kind: ObjectKind, key: Mapping[str, Any]) -> dict[str, list[str]]:
    """By cluster the names of objects with this key that the newest snapshot did not see: they may have changed since."""
    unseen: dict[str, list[str]] = {}
    chosen = " AND ".join(["NOT is_current", *_conditions(key)])
    for row in _rows(reader, f"SELECT * FROM {kind.table.name} WHERE {chosen} ORDER BY ALL"):
        unseen.setdefault(row["cluster"], []).append(kind.name_of(row))
    return unseen


def refuse_unknown(reader: LakeReader, kind: ObjectKind, key: Mapping[str, Any]) -> None:
    """Raises UsageError, with names that are near, when the lake never knew an object with this key."""
    if reader.query(f"SELECT 1 FROM ({_query(kind, key)}) LIMIT 1").rows:
        return
    asked = kind.name_of(dict.fromkeys(kind.table.key) | dict(key))
    columns = ", ".join(map(name, kind.table.key)) or "cluster"
    names = {
        kind.name_of(row)
        for row in _rows(reader, f"SELECT DISTINCT {columns} FROM {kind.table.name} LIMIT {_NAMES_TRIED}")
    }
    near = difflib.get_close_matches(asked, names, n=3)
    hint = f": did you mean {' or '.join(near)}?" if near else ""
    raise UsageError(f"The lake never knew {asked!r} in {kind.table.name}{hint}")
