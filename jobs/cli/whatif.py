"""What would happen without some brokers, for a person: the sums first, then the partitions that suffer."""

import sys
from collections.abc import Sequence

import typer

from jobs.cli.terminal import print_table
from jobs.whatif.absence import Absence, Fate
from jobs.whatif.election import Outcome
from jobs.whatif.order import Restart
from jobs.wording import counted

SHOWN = 20
"""Partitions that a terminal shows at most; a pipe gets all."""
_SUMS = (
    (Outcome.OFFLINE, "go offline"),
    (Outcome.UNCLEAN, "get a leader outside the ISR, so that acknowledged records may be lost"),
    (Outcome.UNKNOWN, "not seen, or malformed, so that nothing is known"),
    (Outcome.UNDER_MIN_ISR, "fall under min ISR, so that acks=all is refused"),
    (Outcome.FURTHER_UNDER, "are under min ISR already, and the ISR shrinks"),
    (Outcome.AT_MIN_ISR, "are left at min ISR, so that the next loss refuses acks=all"),
    (Outcome.STAYS_OFFLINE, "are offline already"),
)


def print_absence(cluster: str, absence: Absence) -> None:
    """The sums, what they assume, and the partitions, the worst first."""
    who = ", ".join(map(str, absence.brokers))
    typer.echo(f"{cluster} without broker{'s' * (len(absence.brokers) > 1)} {who}:")
    for line in _sums(absence):
        typer.echo(f"  {line}")
    for note in absence.notes:
        typer.echo(f"  note: {note}")
    typer.echo()
    touched = [fate for fate in absence.fates if fate.outcome != Outcome.UNCHANGED]
    shown = touched[:SHOWN] if sys.stdout.isatty() else touched
    print_table(Fate._fields, shown)
    if more := len(touched) - len(shown):
        typer.echo(f"and {more} more: varve whatif --format csv")
    typer.echo()


def print_order(cluster: str, order: Sequence[Restart]) -> None:
    """In which order the brokers can be restarted; those without a place cannot now."""
    typer.echo(
        f"restart order of {cluster}, one at a time, the next when every replica is in sync again "
        "(varve gate roll --broker N says when):"
    )
    print_table(Restart._fields, order)
    typer.echo()


def _sums(absence: Absence) -> list[str]:
    sums = [
        f"{what}: {counted(count, 'partition')}"
        for outcome, what in _SUMS
        if (count := absence.count(outcome))
    ]
    moves = ", ".join(f"{count} to broker {broker_id}" for broker_id, count in sorted(absence.moves.items()))
    return [*sums, f"leaders that move: {moves or 'none'}"]
