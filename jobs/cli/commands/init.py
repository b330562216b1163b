"""`varve init`."""

from pathlib import Path
from typing import Annotated

import typer

from jobs.cli.terminal import busy
from jobs.errors import SettingsError, UsageError
from jobs.wording import printable


def init(
    context: typer.Context,
    cluster: Annotated[
        str | None, typer.Argument(help="A name for the cluster.", show_default="from its ZooKeeper chroot")
    ] = None,
    properties: Annotated[
        list[Path] | None,
        typer.Option(
            help="A broker's or controller's server.properties; repeat it for several.",
            show_default="of what runs on this machine",
        ),
    ] = None,
) -> None:
    """Write a first varve.yaml with what can be found out about the Kafka clusters around this machine."""
    from jobs.init import look_around, secrets, varve_yaml
    from jobs.settings import settings_path

    path = settings_path(context.obj)
    if path.exists():
        raise UsageError(f"{path} is there already and stays as it is: name another file with --config")
    with busy("looking around"):
        surroundings = look_around(properties or [])
    if cluster and len(surroundings.clusters) > 1:
        raise UsageError(
            f"{len(surroundings.clusters)} clusters were found, and {cluster} can name only one: "
            "leave the name out, or name the files of one cluster with --properties"
        )
    text = varve_yaml(surroundings.clusters, cluster)
    _write(path, text)
    for line in surroundings.found:
        typer.echo(printable(f"found   {line}"))
    typer.echo(f"wrote   {path}")
    if not surroundings.clusters:
        typer.echo("next    write the servers of your cluster into it")
    for name in secrets(text):
        typer.echo(f"next    export {name}=…")
    typer.echo(f"next    varve {f'--config {path} ' if context.obj else ''}doctor")


def _write(path: Path, text: str) -> None:
    """Write the file. It is removed again when it is not valid, as with a wrong name of the cluster."""
    from jobs.settings import load_settings

    with path.open("x", encoding="utf-8") as file:
        file.write(text)
    try:
        load_settings(path)
    except SettingsError:
        path.unlink()
        raise
