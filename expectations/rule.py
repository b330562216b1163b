"""A rule is an expectation before Great Expectations sees it: a sentence, and SQL that counts its breaches."""

from collections.abc import Sequence
from dataclasses import dataclass

from schemas.judgement import Severity


@dataclass(frozen=True)
class Rule:
    """What must hold of a table.

    `text` is the sentence that people read. It is short and never changes, for results are compared by it over time.
    `breaches` is a Spark SQL aggregate over the table: how many of `counted` break the rule, 0 when it holds.
    `broken` is the SQL condition of a row that breaks the rule, where single rows do; one of them is the example.
    """

    text: str
    breaches: str
    severity: Severity = Severity.CRITICAL
    counted: str = "row"
    broken: str = ""


def no_row_where(broken: str, text: str, severity: Severity = Severity.CRITICAL) -> Rule:
    """No row meets the SQL condition `broken`; a row for which it is null, hence unknown, does not."""
    return Rule(text, f"count_if({broken})", severity, broken=broken)


def unique(columns: Sequence[str], text: str, among: str = "TRUE") -> Rule:
    """No two of the rows that meet the SQL condition `among` have the same columns; null equals null."""
    key = ", ".join(quoted(column) for column in columns)
    breaches = f"count_if({among}) - count(DISTINCT struct({key})) FILTER (WHERE {among})"
    return Rule(text, breaches, counted="duplicate")


def if_any(rows: str, then: str, text: str, counted: str) -> Rule:
    """Where some row meets the SQL condition `rows`, some row meets `then` too."""
    breaches = f"if(count_if({rows}) > 0 AND count_if({then}) = 0, 1, 0)"
    return Rule(text, breaches, Severity.WARNING, counted)


def quoted(column: str) -> str:
    """The column's name, quoted for Spark SQL."""
    return f"`{column}`"
