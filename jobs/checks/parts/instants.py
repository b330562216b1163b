"""SQL over instants."""


def instant(value: str) -> str:
    """An instant as evidence says it: `2026-11-21T14:00:05.000Z`."""
    return f"strftime({value} AT TIME ZONE 'UTC', '%Y-%m-%dT%H:%M:%S.%gZ')"
