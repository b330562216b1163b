"""What every inventory promises."""

from expectations.rule import no_row_where

RULES = (no_row_where("host = ''", "host is not empty"),)
