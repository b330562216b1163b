"""What the readers of findings rely on."""

from expectations.rule import no_row_where

RULES = (no_row_where("json_object_keys(evidence) IS NULL", "evidence is a JSON object"),)
