"""`varve diff`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from jobs.cli.options import ClusterOption, Format, FormatOption, T, chosen_clusters, settings_of
from jobs.errors import UsageError

if TYPE_CHECKING:
    from datetime import datetime

    from jobs.cli.diff import Sides
    from jobs.objects.parts.kind import ObjectKind
    from jobs.settings import Settings

CONTEXT_SETTINGS = {"ignore_unknown_options": True}
"""`-2h` is a word here, no option."""


def diff(
    context: typer.Context,
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="T1 [T2] [KIND]",
            help=f"From T1 to T2, or to now; only one kind, such as topic. {T}",
            show_default=False,
        ),
    ] = None,
    cluster: ClusterOption = None,
    with_cluster: Annotated[
        str | None,
        typer.Option(help="Compare --cluster with this one, both at T1 or now.", show_default=False),
    ] = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """Show what differs, old and new, first what touches most partitions.

    What a snapshot did not see is never shown as deleted: it is listed as not seen.
    """
    from jobs.cli.answer import print_as_of, print_rows
    from jobs.cli.diff import Difference, compare
    from jobs.cli.differences import print_differences, unseen_line

    instants, kinds = _read(words or [])
    settings = settings_of(context)
    differences: list[Difference] = []
    notes: list[str] = []
    compared = _compared(settings, instants, cluster, with_cluster, notes)
    for sides in compared:
        found, unseen = compare(sides, kinds)
        differences += found
        notes += [sides.caveat] * bool(sides.caveat) + [unseen_line(each) for each in unseen]
    if form is Format.TABLE:
        print_differences(differences)
    else:
        print_rows(Difference._fields, differences, form)
    is_aside = form is not Format.TABLE
    for note in notes:
        typer.echo(note, err=is_aside)
    for side in (side for sides in compared for side in (sides.old, sides.new)):
        print_as_of(side.reader, err=is_aside)


def _read(words: list[str]) -> tuple[list[datetime | str], dict[str, ObjectKind]]:
    """The points in time and the kinds that the words name; a word without a digit is no point in time."""
    from jobs.cli.instant import point_in_time
    from jobs.objects.parts.kind import object_kind, object_kinds

    kinds = {name: kind for name, kind in object_kinds().items() if not kind.is_aside}
    if words and not any(map(str.isdigit, words[-1])):
        *words, name = words
        kinds = {name: object_kind(name)}
    if len(words) > 2:
        raise UsageError(
            f"{len(words)} points in time cannot be compared: write T1, or T1 and T2, then a kind"
        )
    return [point_in_time(word) for word in words], kinds


def _compared(
    settings: Settings,
    instants: list[datetime | str],
    cluster: str | None,
    with_cluster: str | None,
    notes: list[str],
) -> list[Sides]:
    """What is to be compared. A cluster that one side has no snapshot of is left out, and a note says so."""
    from jobs.lake.read import NoSnapshotError

    if with_cluster is not None:
        return [_two_clusters(settings, instants, cluster, with_cluster)]
    if not instants:
        raise UsageError("Say from when on: varve diff T1, or varve diff T1 T2")
    at = instants[0], instants[1] if len(instants) > 1 else None
    compared: list[Sides] = []
    for name in chosen_clusters(settings, cluster):
        try:
            compared.append(_sides(settings, (name, name), at))
        except NoSnapshotError as error:
            notes.append(str(error))
    if not compared:
        raise NoSnapshotError("\n".join(notes))
    return compared


def _two_clusters(
    settings: Settings, instants: list[datetime | str], cluster: str | None, with_cluster: str
) -> Sides:
    if cluster is None or len(instants) > 1:
        raise UsageError("Two clusters are compared at one time: varve diff [T] --cluster C --with-cluster D")
    at = instants[0] if instants else None
    clusters = settings.cluster(cluster).name, settings.cluster(with_cluster).name
    return _sides(settings, clusters, (at, at))


def _sides(
    settings: Settings, clusters: tuple[str, str], at: tuple[datetime | str | None, datetime | str | None]
) -> Sides:
    from jobs.cli.diff import Sides
    from jobs.cli.side import Side
    from jobs.lake.read import open_reader
    from jobs.storage import open_storage

    storage = open_storage(settings.lake).settled()
    old, new = (
        Side(open_reader(storage, [name], instant)) for name, instant in zip(clusters, at, strict=True)
    )
    return Sides(old, new)
