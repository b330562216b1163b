"""`varve process`."""

import logging
from typing import Annotated

import typer

from jobs.cli.options import settings_of, snapshot_id_or_now
from jobs.cli.terminal import busy
from jobs.errors import UsageError, VarveError

log = logging.getLogger(__name__)


def process(
    context: typer.Context,
    clusters: Annotated[
        list[str] | None,
        typer.Argument(metavar="CLUSTER...", help="Names of clusters in varve.yaml.", show_default=False),
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Every cluster in varve.yaml.")] = False,
    snapshot_id: Annotated[
        str | None,
        typer.Option(help="Id of a snapshot that landed.", show_default="the newest that is not committed"),
    ] = None,
) -> None:
    """Turn what landed into tables, events, findings and expectations, and commit it.

    Several clusters share one Spark application, and each has a commit and a failure of its own.
    """
    from jobs.cli.answer import print_outcome
    from jobs.cli.options import newest_landed
    from jobs.process import process as make_tables

    settings = settings_of(context)
    if bool(clusters) == every:
        raise UsageError("Name the clusters to process, or give --all")
    names = [cluster.name for cluster in settings.clusters] if every else list(clusters or ())
    for name in names:
        settings.cluster(name)
    failures: list[str] = []
    for name in names:
        try:
            chosen = snapshot_id_or_now(snapshot_id) if snapshot_id else newest_landed(settings, name)
            with busy(f"processing {chosen} of {name}"):
                make_tables(settings, name, chosen)
            print_outcome(settings, name)
        except Exception as error:
            if len(names) == 1:
                raise
            if not isinstance(error, VarveError):  # a defect that one cluster shows must not cost the others
                log.exception("processing %s failed", name)
            failures.append(f"{name}: {error}")
    if failures:
        raise VarveError("\n".join(failures))
