"""What holds of the log dirs of any one cluster."""

from expectations.rule import Rule, no_row_where, unique
from schemas.judgement import Severity

RULES = (
    Rule(
        "all log dirs agree on the cluster id",
        "greatest(count(DISTINCT cluster_id) - 1, 0)",
        counted="surplus cluster id",
    ),
    unique(("directory_id",), "no two log dirs have the same directory_id", among="directory_id IS NOT NULL"),
    no_row_where("node_id != broker_id", "node_id is the broker's in varve.yaml", Severity.WARNING),
)
