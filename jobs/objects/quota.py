"""Quotas, by the user, client id or address that they bind."""

from jobs.objects.parts.kind import ObjectKind
from schemas.access import QUOTAS

KIND = ObjectKind(table=QUOTAS, words="USER [CLIENT_ID [IP [NAME]]]")
