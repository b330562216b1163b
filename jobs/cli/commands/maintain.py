"""`varve maintain`."""

from typing import TYPE_CHECKING, Annotated

import typer

from jobs.cli.options import chosen_clusters, settings_of
from jobs.cli.terminal import busy
from jobs.errors import VarveError

if TYPE_CHECKING:
    from jobs.upkeep.maintain import Maintained
    from jobs.upkeep.retention import Outdated


def maintain(
    context: typer.Context,
    cluster: Annotated[
        str | None, typer.Argument(help="Name of the cluster in varve.yaml.", show_default="all clusters")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would go, and change nothing.")
    ] = False,
) -> None:
    """Drop the past that `history` in varve.yaml does not keep, merge small files, and free the disk.

    Every snapshot does a part of this; once a day is enough. Readers may go on meanwhile.
    """
    from datetime import UTC, datetime

    from jobs.upkeep.maintain import maintain as keep_up
    from jobs.upkeep.maintain import planned

    settings = settings_of(context)
    failures: list[str] = []
    for name in chosen_clusters(settings, cluster):
        if dry_run:
            _print_planned(name, planned(settings, name, datetime.now(UTC)))
            continue
        try:
            with busy(f"tidying the tables of {name}"):
                done = list(keep_up(settings, name, datetime.now(UTC)))
            _print_done(name, done)
        except VarveError as error:
            failures.append(f"{name}: {error}")
    if failures:
        raise VarveError("\n".join(failures))


def _print_planned(cluster: str, parts: "list[Outdated]") -> None:
    for part in parts:
        typer.echo(
            f"{cluster}: {part.table}, {part.part} would go ({part.files:,} files, {part.size:,} bytes)"
        )
    if not parts:
        typer.echo(f"{cluster}: nothing would go")


def _print_done(cluster: str, done: "list[Maintained]") -> None:
    for each in done:
        for part in each.dropped:
            typer.echo(f"{cluster}: {each.table}, {part.part} went")
    before, now, deleted = (
        sum(getattr(each, name) for each in done) for name in ("files_before", "files", "deleted")
    )
    typer.echo(
        f"{cluster}: {len(done)} tables have {now:,} files, they had {before:,}; {deleted:,} went from the disk"
    )
