"""`varve plan`."""

from enum import StrEnum
from typing import Annotated

import typer

from jobs.cli.options import ClusterOption, Format, FormatOption, chosen_clusters, settings_of


class Plan(StrEnum):
    """What can be planned."""

    TOPIC_ID = "topic-id"


def plan(
    context: typer.Context,
    _what: Annotated[Plan, typer.Argument(metavar="topic-id", help="What to plan.", show_default=False)],
    cluster: ClusterOption = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """Print what to do about topic ids that are lost or contradicted, the safest step first, with exact commands.

    Varve runs none of them. Steps that must not be taken now say why.
    """
    from jobs.cli.answer import print_as_of
    from jobs.cli.plans import print_plans
    from jobs.lake.read import NoSnapshotError, open_reader
    from jobs.plans.read_topic_ids import read_cluster
    from jobs.plans.topic_id import plan as planned
    from jobs.storage import open_storage

    settings = settings_of(context)
    names = chosen_clusters(settings, cluster)
    readers = {}
    for name in names:
        try:
            readers[name] = open_reader(open_storage(settings.lake), [name])
        except NoSnapshotError:
            typer.echo(f"no snapshot of {name} yet: run varve snapshot {name}", err=True)
    plans = {name: planned(read_cluster(reader, settings.cluster(name))) for name, reader in readers.items()}
    print_plans(plans, form)
    for reader in readers.values():
        print_as_of(reader, err=form is not Format.TABLE)
