"""What Kafka promises of every delegation token."""

from expectations.rule import no_row_where
from schemas.judgement import Severity

RULES = (
    no_row_where("expires_at < issued_at", "expires_at is not before issued_at", Severity.WARNING),
    no_row_where("expires_at > max_at", "expires_at is not after max_at", Severity.WARNING),
)
