"""T, a point in time as a person names it: an instant, a snapshot's id, a time of day here, or so long ago."""

import re
from datetime import UTC, date, datetime, time, timedelta

from jobs.errors import UsageError
from jobs.lake.snapshot_id import logical_time

FORMS = (
    "2026-11-21T00:30 (UTC), 2026-11-21T00:30+01:00, a snapshot's id such as 20261121T003000Z, "
    "'yesterday 14:00', 'today 09:30' or 14:00 (the last one; in the time zone of this process), -30m, -2h or -7d"
)
_SNAPSHOT_ID = re.compile(r"\d{8}T\d{6}Z")
_AGO = re.compile(r"-(\d+)([mhd])")
_LONG = re.compile(r"(\d{1,5})([smhd])")
_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days"}
_CLOCK = re.compile(r"(?:(today|yesterday) +)?(\d{1,2}:\d{2}(?::\d{2})?)")


def point_in_time(given: str, now: datetime | None = None) -> datetime | str:
    """The instant in UTC that T names at `now`; a snapshot id stays as it is. Forms are listed in `FORMS`.

    ISO 8601 is UTC where it names no zone. A time of day is of the time zone of this process. Raises UsageError for any
    other form, and for a time of day that comes twice or not at all because clocks change.
    """
    if _SNAPSHOT_ID.fullmatch(given):
        logical_time(given)
        return given
    now = now or datetime.now(UTC)
    try:
        if ago := _AGO.fullmatch(given):
            return now - timedelta(**{_UNITS[ago[2]]: int(ago[1])})
        if clock := _CLOCK.fullmatch(given):
            return _by_the_clock(clock[1], time.fromisoformat(clock[2].zfill(5)), now)
        instant = datetime.fromisoformat(given)
        return instant.astimezone(UTC) if instant.tzinfo else instant.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        raise UsageError(f"{given!r} is no point in time; write {FORMS}") from None


def duration(given: str) -> timedelta:
    """How long `90s`, `30m`, `2h` or `1d` is. Raises UsageError for any other form."""
    long = _LONG.fullmatch(given)
    if long is None:
        raise UsageError(f"{given!r} is no length of time; write 90s, 30m, 2h or 1d")
    return timedelta(**{_UNITS[long[2]]: int(long[1])})


def period(since: str | None, until: str | None) -> tuple[datetime | str | None, datetime | str | None]:
    """Two points in time, each as it is named. Raises UsageError when the second is not after the first."""
    now = datetime.now(UTC)
    first, last = (point_in_time(given, now) if given else None for given in (since, until))
    both = [f"{at:%Y-%m-%dT%H:%MZ}" if isinstance(at, datetime) else at for at in (first, last)]
    if type(first) is type(last) and first is not None and first >= last:  # type: ignore[operator]
        raise UsageError(f"{until!r} is {both[1]}, which is not after {since!r}, {both[0]}")
    return first, last


def _by_the_clock(day: str | None, clock: time, now: datetime) -> datetime:
    """The time on that day; without a day the last time that clocks here showed it."""
    today = now.astimezone().date()
    yesterday = today - timedelta(days=1)
    if day:
        return _here(today if day == "today" else yesterday, clock)
    instant = _here(today, clock)
    return instant if instant <= now else _here(yesterday, clock)


def _here(day: date, clock: time) -> datetime:
    """The instant at which clocks in the time zone of this process show that time."""
    shown = datetime.combine(day, clock)
    first, second = sorted(shown.replace(fold=fold).astimezone(UTC) for fold in (0, 1))
    if first == second:
        return first
    what = f"{clock:%H:%M} of {day} in the time zone of this process"
    if _is_shown(shown, first):
        raise UsageError(
            f"{what} was twice, as clocks went back: write {first:%Y-%m-%dT%H:%MZ} or {second:%Y-%m-%dT%H:%MZ}"
        )
    raise UsageError(
        f"{what} never was, as clocks went forward: write {first.astimezone():%H:%M} or {second.astimezone():%H:%M}"
    )


def _is_shown(clock: datetime, instant: datetime) -> bool:
    return instant.astimezone().replace(tzinfo=None) == clock
