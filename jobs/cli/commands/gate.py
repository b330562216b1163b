"""`varve gate`."""

from datetime import UTC, datetime
from typing import Annotated

import typer

from jobs.cli.options import ClusterOption, Format, FormatOption, chosen_clusters, settings_of
from jobs.errors import UsageError

_EXIT_CLOSED = 3
_COLUMNS = ("cluster", "gate", "reason")


def gate(
    context: typer.Context,
    name: Annotated[
        str, typer.Argument(metavar="GATE", help="roll, controller-move or migrate.", show_default=False)
    ],
    broker: Annotated[
        int | None,
        typer.Option(help="The broker to restart, for roll.", show_default="every broker in turn"),
    ] = None,
    max_age: Annotated[
        str,
        typer.Option(metavar="AGE", help="How old what the newest snapshot read first may be: 90s, 30m, 2h."),
    ] = "30m",
    cluster: ClusterOption = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """Exit 3 with the reasons when it is not safe to act now. What was not seen is not safe.

    roll: a broker may be restarted. controller-move: another controller may be elected. migrate: a migration from
    ZooKeeper to KRaft may begin.
    """
    from jobs.cli.answer import print_rows
    from jobs.cli.instant import duration
    from jobs.cli.values import as_text
    from jobs.gates.parts.gate import all_gates, reasons_against
    from jobs.storage import open_storage

    if name not in all_gates():
        raise UsageError(f"There is no gate {name!r}; there are {', '.join(all_gates())}")
    asked = all_gates()[name]
    if broker is not None and not asked.takes_broker:
        raise UsageError(f"The gate {name} takes no --broker")
    age, settings = duration(max_age), settings_of(context)
    storage, now = open_storage(settings.lake), datetime.now(UTC)
    against = {
        each: reasons_against(asked, storage, each, broker, age, now)
        for each in chosen_clusters(settings, cluster)
    }
    if form is Format.TABLE:
        for each, reasons in against.items():
            typer.echo(f"{name} of {each}: {'not safe' if reasons else 'safe'} now")
            for reason in reasons:
                typer.echo(f"  {as_text(reason)}")
    else:
        rows = [(each, name, reason) for each, reasons in against.items() for reason in reasons]
        print_rows(_COLUMNS, rows, form)
    if any(against.values()):
        raise typer.Exit(_EXIT_CLOSED)
