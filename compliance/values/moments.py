"""Moments as plain numbers, which compare rightly also in the hour that clocks repeat in autumn."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from functools import lru_cache

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)


def microseconds(moment: datetime) -> int:
    """A moment as microseconds since 1970 in UTC."""
    return (moment - EPOCH) // MICROSECOND


def moment(microseconds: int, offset: int) -> datetime:
    """A moment with the offset in which the log wrote it, in minutes east of UTC."""
    return _start(offset) + timedelta(0, 0, microseconds)


def as_shown_at(microseconds: int, offset: int) -> datetime:
    """A moment as clocks with an offset show it; in UTC where they would leave all years behind."""
    try:
        return moment(microseconds, offset)
    except OverflowError:
        return moment(microseconds, 0)


@lru_cache(maxsize=64)
def _start(minutes: int) -> datetime:
    """The moment from which all others are counted, as clocks with an offset showed it."""
    zone = UTC if minutes == 0 else timezone(timedelta(minutes=minutes))
    return EPOCH.astimezone(zone)
