"""Log dirs as their broker describes them, which says when one has failed; `log-dir` is what lies on the disk."""

from jobs.objects.parts.kind import ObjectKind
from schemas.admin_log_dirs import ADMIN_LOG_DIRS

KIND = ObjectKind(
    table=ADMIN_LOG_DIRS,
    words="BROKER_ID [PATH]",
    subjects=lambda row: (f"broker {row['broker_id']}",),
)
