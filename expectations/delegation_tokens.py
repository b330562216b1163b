"""What Kafka promises of every delegation token."""

from expectations.rule import no_row_where

RULES = (
    no_row_where("expires_at < issued_at", "expires_at is not before issued_at", "warning"),
    no_row_where("expires_at > max_at", "expires_at is not after max_at", "warning"),
)
