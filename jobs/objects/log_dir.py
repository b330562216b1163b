"""Log dirs of a broker."""

from jobs.objects.parts.kind import ObjectKind
from schemas.log_dirs import LOG_DIRS

KIND = ObjectKind(table=LOG_DIRS, words="BROKER_ID [PATH]")
