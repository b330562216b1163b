"""What holds of the brokers of any working cluster."""

from expectations.rule import Rule, no_row_where
from schemas.judgement import Severity

_ENDPOINTS = "flatten(collect_list(endpoints) FILTER (WHERE NOT coalesce(fenced, FALSE)))"

RULES = (
    no_row_where("broker_id < 0", "broker_id is not negative"),
    no_row_where("size(endpoints) = 0", "endpoints are not empty", Severity.WARNING),
    Rule(
        "no two brokers share an endpoint",
        f"size({_ENDPOINTS}) - size(array_distinct({_ENDPOINTS}))",
        Severity.WARNING,
        "shared endpoint",
    ),
)
