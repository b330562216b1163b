"""Members of the metadata quorum, by their node id; a node may have had several directories."""

from jobs.objects.parts.kind import ObjectKind
from schemas.quorum import QUORUM_MEMBERS

KIND = ObjectKind(
    table=QUORUM_MEMBERS,
    words="NODE_ID [DIRECTORY_ID]",
    subjects=lambda row: (f"node {row['node_id']}", f"broker {row['node_id']}", "controller"),
)
