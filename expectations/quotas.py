"""What holds of every client quota."""

from expectations.rule import no_row_where
from schemas.judgement import Severity

RULES = (
    no_row_where(
        "user IS NULL AND client_id IS NULL AND ip IS NULL", "a quota is for a user, a client or an address"
    ),
    no_row_where(
        "ip IS NOT NULL AND (user IS NOT NULL OR client_id IS NOT NULL)",
        "a quota of an address is for nobody else",
    ),
    no_row_where("value < 0", "value is not negative", Severity.WARNING),
)
