"""Features and their finalized levels."""

from jobs.objects.parts.kind import ObjectKind
from schemas.cluster import FEATURES

KIND = ObjectKind(table=FEATURES, words="FEATURE")
