"""The controller, of which a cluster has one."""

from jobs.objects.parts.kind import ObjectKind
from schemas.entities import CONTROLLERS

KIND = ObjectKind(
    table=CONTROLLERS,
    words="",
    named=lambda _: "controller",
    subjects=lambda row: ("controller", f"broker {row['controller_id']}", f"node {row['controller_id']}"),
    of_its_cluster=("controller_id", "epoch", "elected_at", "kraft_epoch"),
)
