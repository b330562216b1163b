"""Settings that a broker goes by, set or default: `3 min.insync.replicas`, or `3` for all that are kept of it."""

from jobs.objects.parts.kind import ObjectKind
from schemas.admin_configs import BROKER_SETTINGS

KIND = ObjectKind(
    table=BROKER_SETTINGS,
    words="BROKER_ID [CONFIG]",
    subjects=lambda row: (f"broker {row['broker_id']}", "broker <default>"),
)
