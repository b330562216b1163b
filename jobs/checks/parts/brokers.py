"""Who is there: what several checks ask of the brokers."""

LIVING = (
    "SELECT coalesce(list(broker_id ORDER BY broker_id), []) AS ids FROM brokers WHERE fenced IS NOT TRUE"
)
"""One row: the ids of the brokers that are registered and not fenced."""
