"""The machine of each broker, by the broker's id."""

from schemas.inventory import HOSTS

from jobs.objects.parts.kind import ObjectKind

KIND = ObjectKind(table=HOSTS, words="BROKER_ID", subjects=lambda row: (f"broker {row['broker_id']}",))
