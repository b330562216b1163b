"""What holds of any metadata quorum that has a leader."""

from expectations.rule import if_any, no_row_where

RULES = (
    if_any("TRUE", "role = 'voter'", "there is at least one voter", "missing voter"),
    no_row_where("node_id < 0", "node_id is not negative"),
    no_row_where(
        "directory_id NOT RLIKE '^[A-Za-z0-9_-]{22}$'", "directory_id is 22 characters when present"
    ),
)
