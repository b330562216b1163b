"""Writes a `varve.yaml` that sets what was found and shows everything else commented out, with a line about each."""

import json
import re
from collections.abc import Sequence
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from jobs.init.cluster import Cluster

_TEMPLATE = "varve.yaml.j2"


def varve_yaml(clusters: Sequence[Cluster], name: str | None = None) -> str:
    """The text of the file. `name` is for the first cluster; the others get theirs from their chroots."""
    named: dict[str, Cluster] = {}
    for cluster in clusters or [Cluster(())]:
        wanted = name if name and not named else _name(cluster)
        named[wanted if wanted not in named else f"{wanted}-{len(named) + 1}"] = cluster
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        trim_blocks=True,
        keep_trailing_newline=True,
        undefined=StrictUndefined,
        autoescape=False,  # YAML is no HTML; what was found is written as JSON, which YAML contains
    )
    environment.filters["yaml"] = json.dumps
    return environment.get_template(_TEMPLATE).render(clusters=named, set_if=lambda it: "" if it else "# ")


def secrets(text: str) -> list[str]:
    """The environment variables that the settings of such a text need."""
    settings = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    return list(dict.fromkeys(re.findall(r"\$\{(\w+)\}", "\n".join(settings))))


def _name(cluster: Cluster) -> str:
    """The last part of the chroot as a name of a cluster, or `kafka`."""
    chroot = (cluster.zookeeper_connect or "").partition("/")[2].strip("/").rpartition("/")[2]
    return re.sub(r"[^a-z0-9_-]", "-", chroot.lower()).strip("-_") or "kafka"
