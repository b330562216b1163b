"""What Kafka promises of the newest block of producer ids."""

from expectations.rule import no_row_where

RULES = (no_row_where("block_start > block_end", "block_start is not after block_end"),)
