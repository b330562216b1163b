"""`varve whatif`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

import typer

from jobs.cli.options import (
    AtOption,
    ClusterOption,
    Format,
    FormatOption,
    chosen_clusters,
    settings_of,
)
from jobs.errors import UsageError

if TYPE_CHECKING:
    from jobs.lake.read import LakeReader
    from jobs.whatif.absence import Absence


def whatif(
    context: typer.Context,
    broker: Annotated[
        list[int] | None,
        typer.Option(help="A broker that goes away; several go away together.", show_default=False),
    ] = None,
    rack: Annotated[
        str | None, typer.Option(help="Every broker of this rack goes away.", show_default=False)
    ] = None,
    at: AtOption = None,
    cluster: ClusterOption = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """Tell what happens when brokers go away: who is elected, what goes offline, what falls under min ISR.

    Without --broker and --rack: what each broker alone would do, and in which order the brokers can be restarted.
    """
    from jobs.cli.answer import print_as_of, print_rows
    from jobs.cli.instant import point_in_time
    from jobs.cli.whatif import print_absence, print_order
    from jobs.lake.read import open_reader
    from jobs.storage import open_storage
    from jobs.whatif.absence import Fate
    from jobs.whatif.order import Restart, restart_order

    settings = settings_of(context)
    storage, names = open_storage(settings.lake).settled(), chosen_clusters(settings, cluster)
    visible = open_reader(storage, names, point_in_time(at) if at else None)
    readers = {each.cluster: open_reader(storage, [each.cluster], each.snapshot_id) for each in visible.as_of}
    absences = _absences(readers, broker or [], rack)
    if form is Format.TABLE:
        for name, found in absences.items():
            print_absence(name, found)
        for name in absences or readers:
            print_order(name, restart_order(readers[name]))
    elif absences:
        rows = [(name, *fate) for name, found in absences.items() for fate in found.fates]
        print_rows(("cluster", *Fate._fields), rows, form)
    else:
        places = [(name, *place) for name, reader in readers.items() for place in restart_order(reader)]
        print_rows(("cluster", *Restart._fields), places, form)
    print_as_of(visible, err=form is not Format.TABLE)


def _absences(readers: Mapping[str, LakeReader], brokers: list[int], rack: str | None) -> dict[str, Absence]:
    """For each cluster that has one of the brokers what their absence does. Raises UsageError when no cluster has."""
    from jobs.whatif.absence import absence, chosen_brokers

    if not brokers and rack is None:
        return {}
    chosen = {name: chosen_brokers(reader, brokers, rack) for name, reader in readers.items()}
    if unknown := set(brokers).difference(*chosen.values()):
        raise UsageError(f"There is no broker {min(unknown)} in {', '.join(readers)}")
    if not any(chosen.values()):
        raise UsageError(f"No broker of {', '.join(readers)} is in the rack {rack}")
    return {name: absence(readers[name], its) for name, its in chosen.items() if its}
