"""What holds of the replication of the metadata log as its leader tells it."""

from expectations.rule import no_row_where

RULES = (no_row_where("lag < 0", "no member is ahead of the leader", "warning"),)
