"""What the readers of events rely on."""

from expectations.rule import no_row_where

RULES = (no_row_where("captured_at < since_at", "an event is not captured before it could happen"),)
