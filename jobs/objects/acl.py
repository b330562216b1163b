"""Access control lists, by their seven parts."""

from jobs.objects.parts.kind import ObjectKind
from schemas.access import ACLS

KIND = ObjectKind(
    table=ACLS, words="RESOURCE_TYPE PATTERN_TYPE RESOURCE_NAME PRINCIPAL HOST OPERATION PERMISSION"
)
