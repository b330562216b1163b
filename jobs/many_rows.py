"""When rows are many: a large cluster's, for which the driver's memory counts more than what a file or a plan costs."""

MANY_ROWS = 20_000
"""From here on Spark earns what it costs to generate code and to spread the work, and DuckDB what it costs to read a file."""


def are_many(rows: int) -> bool:
    """Whether so many rows are kept in files rather than in the driver's memory."""
    return rows > MANY_ROWS
